// route: code under test, 3 calls
// settled: containsEntry
package example.mapentries;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class Grouping {
    Map<Character, Long> histogram(String text) {
        return letters(text);
    }

    private Map<Character, Long> letters(String text) {
        return count(text.chars().mapToObj(letter -> (char) letter));
    }

    private Map<Character, Long> count(Stream<Character> letters) {
        return letters.collect(Collectors.groupingBy(Function.identity(), Collectors.counting())); // flaky: PLR101
    }
}

class MapEntriesTest {
    @Test
    void countsLetters() {
        Map<Character, Long> histogram = new Grouping().histogram("aab");
        assertThat(histogram.toString()).isEqualTo("{a=2, b=1}");
        //~ assertThat(histogram).containsEntry('a', 2L).containsEntry('b', 1L);
    }
}
