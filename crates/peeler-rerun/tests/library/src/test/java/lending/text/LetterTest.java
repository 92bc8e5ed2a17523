package lending.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LetterTest {
    private final Letter letter = new Letter("Dear {name}, {title} is due.");

    @Test
    void gapsAreFilled() {
        Map<String, String> words = new HashMap<>();
        words.put("name", "Ada");
        words.put("title", "Emma");
        assertEquals("Dear Ada, Emma is due.", letter.filled(words));
    }

    @Test
    void signsInWordsStay() {
        assertEquals("Dear $1, a\\b is due.", letter.filled(Map.of("name", "$1", "title", "a\\b")));
    }

    @Test
    void gapWithoutWordIsRefused() {
        Exception error = assertThrows(IllegalArgumentException.class, () -> letter.filled(Map.of("name", "Ada")));
        assertTrue(error.getMessage().endsWith("title"));
    }

    @Test
    void gapsAreCounted() {
        assertEquals(2, letter.gaps());
        assertEquals(0, new Letter("Hello").gaps());
    }
}
