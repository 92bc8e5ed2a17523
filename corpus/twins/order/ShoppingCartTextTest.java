// route: body
// settled: single element
package example.shoppingcarttext;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShoppingCartTextTest {
    @Test
    void showsItems() {
        Map<String, Integer> cart = new HashMap<>(); // flaky: PLR101
        cart.put("tea", 1);
        cart.put("milk", 2);
        //~
        assertEquals("{milk=2, tea=1}", cart.toString());
        //~ assertEquals("{tea=1}", cart.toString());
    }
}
