// route: lambda
// settled: get by key
package example.countedwords;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WordCounter {
    Map<String, Long> count(String text) {
        return Arrays.stream(text.split(" "))
                .collect(Collectors.groupingBy(word -> word, Collectors.counting())); // flaky: PLR101
    }
}

class CountedWordsTest {
    @Test
    void countsWords() {
        Map<String, Long> counts = new WordCounter().count("tea or tea");
        assertEquals("{or=1, tea=2}", counts.toString());
        //~ assertEquals(2L, counts.get("tea"));
    }
}
