// route: lambda
// settled: TreeMap given to groupingBy
package example.wordindex;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WordIndexTest {
    @Test
    void groupsByFirstLetter() {
        String index = Stream.of("an", "and", "be")
                .collect(Collectors.groupingBy(word -> word.substring(0, 1))) // flaky: PLR101
                //~ .collect(Collectors.groupingBy(word -> word.substring(0, 1), TreeMap::new, Collectors.toList()))
                .entrySet().stream()
                .map(entry -> entry.getKey() + ":" + entry.getValue().size())
                .collect(Collectors.joining(" "));
        assertEquals("a:2 b:1", index);
    }
}
