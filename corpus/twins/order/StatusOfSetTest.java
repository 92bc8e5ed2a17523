// route: code under test, 1 call
// settled: put into a map by key
package example.statusofset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class Prices {
    private final Set<String> items = new HashSet<>(List.of("tea", "rum")); // flaky: PLR102

    List<Integer> lengths() {
        List<Integer> lengths = new ArrayList<>();
        for (String item : items) {
            lengths.add(item.length() + item.charAt(0));
        }
        return lengths;
    }

    Map<String, Integer> byItem() {
        Map<String, Integer> lengths = new HashMap<>();
        for (String item : items) {
            lengths.put(item, item.length());
        }
        return lengths;
    }
}

class StatusOfSetTest {
    @Test
    void measuresItems() {
        assertEquals(List.of(119, 117), new Prices().lengths());
        //~ assertEquals(Map.of("tea", 3, "rum", 3), new Prices().byItem());
    }
}
