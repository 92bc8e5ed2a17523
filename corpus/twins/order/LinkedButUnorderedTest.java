// route: body
// settled: LinkedHashMap filled in a defined order
package example.linkedbutunordered;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LinkedButUnorderedTest {
    @Test
    void keepsFillOrder() {
        Set<String> keys = new HashSet<>(List.of("k1", "k2")); // flaky: PLR101
        //~ List<String> keys = new ArrayList<>(List.of("k1", "k2"));
        Map<String, Integer> lengths = new LinkedHashMap<>();
        for (String key : keys) {
            lengths.put(key, key.length());
        }
        assertEquals("{k1=2, k2=2}", lengths.toString());
    }
}
