// route: code under test, 1 call
// settled: value given
package example.mathrandom;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class Discount {
    double random() {
        return apply(Math.random()); // flaky: PLR302
    }

    double apply(double share) {
        return 100 * (1 - share);
    }
}

class MathRandomTest {
    @Test
    void reduces() {
        double price = new Discount().random();
        //~ double price = new Discount().apply(0.2);
        assertTrue(price > 50);
    }
}
