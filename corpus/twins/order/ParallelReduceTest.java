// route: code under test, 3 calls
// settled: sum of all
package example.parallelreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class Totals {
    private final Map<String, Integer> totals = new ConcurrentHashMap<>();

    List<String> all(List<String> words) {
        return new Mapper().map(words);
    }

    int length(List<String> words) {
        return words.parallelStream().mapToInt(String::length).sum();
    }
}

class Mapper {
    List<String> map(List<String> words) {
        return new Collector().collect(words);
    }
}

class Collector {
    List<String> collect(List<String> words) {
        List<String> upper = Collections.synchronizedList(new ArrayList<>());
        words.parallelStream().map(String::toUpperCase).forEach(upper::add); // flaky: PLR109
        return upper;
    }
}

class ParallelReduceTest {
    @Test
    void collectsWords() {
        assertEquals(List.of("A", "B", "C"), new Totals().all(List.of("a", "b", "c")));
        //~ assertEquals(3, new Totals().length(List.of("a", "b", "c")));
    }
}
