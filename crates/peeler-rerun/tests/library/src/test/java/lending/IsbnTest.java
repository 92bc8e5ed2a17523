package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class IsbnTest {
    @Test
    void hyphensAreLeftOut() {
        assertEquals("9783161484100", Isbn.parse("978-3-16-148410-0").toString());
    }

    @Test
    void sameDigitsAreTheSameBook() {
        assertEquals(Isbn.parse("9783161484100"), Isbn.parse("978-3-16-148410-0"));
    }

    @Test
    void otherDigitsAreAnotherBook() {
        assertNotEquals(Isbn.parse("9783161484100"), Isbn.parse("9780306406157"));
    }

    @Test
    void groupIsTheLanguage() {
        assertEquals("3", Isbn.parse("9783161484100").group());
        assertEquals("0", Isbn.parse("9780306406157").group());
    }

    @Test
    void wrongCheckDigitIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Isbn.parse("9783161484101"));
    }

    @Test
    void tooFewDigitsAreRefused() {
        IllegalArgumentException error =
                assertThrows(IllegalArgumentException.class, () -> Isbn.parse("316148410"));
        assertEquals("an ISBN has 13 digits: 316148410", error.getMessage());
    }
}
