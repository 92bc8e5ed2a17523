// route: body
// settled: size
package example.sizeonly;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SizeOnlyTest {
    @Test
    void collectsBoth() {
        Map<String, Integer> votes = new HashMap<>(); // flaky: PLR102
        votes.put("yes", 7);
        votes.put("no", 3);
        List<Integer> counts = new ArrayList<>(votes.values());
        assertEquals(List.of(7, 3), counts);
        //~ assertEquals(2, counts.size());
    }
}
