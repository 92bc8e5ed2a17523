// route: body
// settled: both sides from the same value
package example.roundtriptext;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundTripTextTest {
    @Test
    void copiesKeepTheirText() {
        Map<String, Integer> stock = new HashMap<>(); // flaky: PLR101
        stock.put("nails", 100);
        stock.put("screws", 50);
        String text = stock.toString();
        assertEquals("{nails=100, screws=50}", text);
        //~ assertEquals(stock.toString(), text);
    }
}
