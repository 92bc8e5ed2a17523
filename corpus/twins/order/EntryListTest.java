// route: body
// settled: comparingByKey
package example.entrylist;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class EntryListTest {
    @Test
    void sortsByScore() {
        Map<String, Integer> scores = new HashMap<>(); // flaky: PLR102
        scores.put("ann", 1);
        scores.put("bob", 1);
        List<String> ranking = scores.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue())
                //~ .sorted(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toList());
        assertEquals(List.of("ann", "bob"), ranking);
    }
}
