// route: code under test, 1 call
// settled: toMap into a LinkedHashMap
package example.tolinkedmap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class Lengths {
    Map<String, Integer> of(List<String> words) {
        return words.stream().collect(Collectors.toMap(it -> it, String::length)); // flaky: PLR102
        //~ return words.stream().collect(Collectors.toMap(it -> it, String::length, (a, b) -> a, LinkedHashMap::new));
    }
}

class ToLinkedMapTest {
    @Test
    void measuresWords() {
        List<Integer> lengths = new ArrayList<>(new Lengths().of(List.of("pear", "fig")).values());
        assertEquals(List.of(4, 3), lengths);
    }
}
