// route: static field of the test
// settled: test prepares what it needs
package example.dependent;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

public class DependentTest {
    private static List<String> cart;

    //+ @BeforeMethod
    //+ public void create() {
    //+     cart = new ArrayList<>(List.of("tea"));
    //+ }
    //+
    @Test
    public void fillsCart() {
        cart = new ArrayList<>(List.of("tea")); // flaky: PLR507
        assertEquals(cart.size(), 1);
    }

    @Test(dependsOnMethods = "fillsCart") // flaky: PLR507
    //~ @Test
    public void emptiesCart() {
        cart.clear(); // flaky: PLR507
        assertTrue(cart.isEmpty());
    }
}
