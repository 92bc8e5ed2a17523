// route: helper
// settled: LinkedHashMap filled in a defined order
package example.earlyreturn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EarlyReturnTest {
    private static String firstCheap(Map<String, Integer> prices) {
        for (Map.Entry<String, Integer> price : prices.entrySet()) {
            if (price.getValue() < 10) {
                return price.getKey();
            }
        }
        return null;
    }

    @Test
    void findsCheapThing() {
        Map<String, Integer> prices = new HashMap<>(); // flaky: PLR103
        //~ Map<String, Integer> prices = new LinkedHashMap<>();
        prices.put("pen", 2);
        prices.put("ink", 5);
        assertEquals("pen", firstCheap(prices));
    }
}
