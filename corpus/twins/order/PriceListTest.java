// route: body
// settled: TreeMap
package example.pricelist;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PriceListTest {
    @Test
    void printsEveryPrice() {
        Map<String, Integer> prices = new HashMap<>(); // flaky: PLR101
        //~ Map<String, Integer> prices = new TreeMap<>();
        prices.put("apple", 3);
        prices.put("pear", 4);
        assertEquals("{apple=3, pear=4}", prices.toString());
    }
}
