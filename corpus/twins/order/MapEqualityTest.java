// route: code under test, 1 call
// settled: equals between maps
package example.mapequality;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class Census {
    Map<String, Integer> byCity(String... citizens) {
        Map<String, Integer> counts = new HashMap<>(); // flaky: PLR102
        for (String citizen : citizens) {
            counts.merge(citizen, 1, Integer::sum);
        }
        return counts;
    }
}

class MapEqualityTest {
    @Test
    void countsCitizens() {
        Map<String, Integer> counts = new Census().byCity("Bern", "Rome", "Bern");
        assertEquals(List.of("Bern", "Rome"), List.copyOf(counts.keySet()));
        //~ assertEquals(Map.of("Bern", 2, "Rome", 1), counts);
    }
}
