// route: lambda
// settled: TreeMap
package example.foreachadd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ForEachAddTest {
    @Test
    void visitsInOrder() {
        Map<Integer, String> months = new HashMap<>(); // flaky: PLR102
        //~ Map<Integer, String> months = new TreeMap<>();
        months.put(1, "January");
        months.put(2, "February");
        List<String> seen = new ArrayList<>();
        months.forEach((number, name) -> seen.add(name));
        assertEquals(List.of("January", "February"), seen);
    }
}
