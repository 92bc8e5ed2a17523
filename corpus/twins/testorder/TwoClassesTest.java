// route: static field, other test class
// settled: restored in teardown
package example.twoclasses;

import static org.junit.Assert.assertEquals;

import org.junit.After;
import org.junit.Test;

class Currencies {
    static String standard = "EUR";

    static String format(int amount) {
        return amount + " " + standard;
    }
}

class DollarTest {
    //+ @After
    //+ public void restore() {
    //+     Currencies.standard = "EUR";
    //+ }
    //+
    @Test
    public void formatsDollars() {
        Currencies.standard = "USD"; // flaky: PLR501
        assertEquals("5 USD", Currencies.format(5));
    }
}

public class TwoClassesTest {
    @Test
    public void formatsEuros() {
        assertEquals("5 EUR", Currencies.format(5)); // flaky: PLR502
    }
}
