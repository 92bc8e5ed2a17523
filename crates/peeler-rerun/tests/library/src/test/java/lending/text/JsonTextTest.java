package lending.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTextTest {
    @Test
    void numbersStandForThemselves() {
        assertEquals("1815", JsonText.of(1815));
        assertEquals("2.5", JsonText.of(2.5));
    }

    @Test
    void nothingIsNull() {
        assertEquals("null", JsonText.of(null));
    }

    @Test
    void textIsQuoted() {
        assertEquals("\"Emma\"", JsonText.of("Emma"));
    }

    @Test
    void quotesAreEscaped() {
        assertEquals("\"say \\\"no\\\"\"", JsonText.of("say \"no\""));
    }

    @Test
    void lineBreaksAreEscaped() {
        assertEquals("\"a\\u000ab\"", JsonText.of("a\nb"));
    }

    @Test
    void listsKeepTheirOrder() {
        assertEquals("[3,1,null]", JsonText.of(Arrays.asList(3, 1, null)));
    }

    @Test
    void mapsKeepTheirOrder() {
        Map<String, Object> book = new LinkedHashMap<>();
        book.put("title", "Emma");
        book.put("year", 1815);
        book.put("tags", List.of("novel"));
        assertEquals("{\"title\":\"Emma\",\"year\":1815,\"tags\":[\"novel\"]}", JsonText.of(book));
    }
}
