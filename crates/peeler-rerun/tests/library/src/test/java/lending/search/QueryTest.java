package lending.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class QueryTest {
    @Test
    void wordsAreSeparated() {
        assertEquals(List.of("war", "peace"), Query.parse("War  peace").wanted());
    }

    @Test
    void phraseIsOneTerm() {
        assertEquals(List.of("war and peace", "tolstoy"), Query.parse("\"War and Peace\" Tolstoy").wanted());
    }

    @Test
    void minusMeansNot() {
        Query query = Query.parse("war -peace");
        assertEquals(List.of("war"), query.wanted());
        assertEquals(List.of("peace"), query.unwanted());
    }

    @Test
    void openPhraseIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Query.parse("\"War and"));
    }

    @Test
    void everyWordMustOccur() {
        Query query = Query.parse("pride prejudice");
        assertTrue(query.matches("Pride and Prejudice"));
        assertFalse(query.matches("Pride"));
    }

    @Test
    void unwantedWordMustNotOccur() {
        assertFalse(Query.parse("pride -prejudice").matches("Pride and Prejudice"));
    }

    @Test
    void nothingMatchesEverything() {
        assertTrue(Query.parse("").matches("Emma"));
    }

    @Test
    void termsCannotBeChanged() {
        assertThrows(UnsupportedOperationException.class, () -> Query.parse("war").wanted().add("peace"));
    }
}
