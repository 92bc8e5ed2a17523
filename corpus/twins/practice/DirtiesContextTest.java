// route: body
// settled: context not dirtied
package example.dirtiescontext;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

class Cart {
    final List<String> items = new ArrayList<>();
}

@SpringJUnitConfig(Cart.class)
class DirtiesContextTest {
    @Test
    @DirtiesContext // flaky: PLR604
    //~
    void addsItem() {
        Cart cart = new Cart();
        cart.items.add("tea");
        assertEquals(1, cart.items.size());
    }

    @Test
    void startsEmpty() {
        assertEquals(0, new Cart().items.size());
    }
}
