// route: code under test, 3 calls
// settled: tolerance
package example.floatdeep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class Mortgage {
    double rate(double sum, int months) {
        return monthly(sum, months);
    }

    private double monthly(double sum, int months) {
        return round(sum) / months; // flaky: PLR308
    }

    private double round(double value) {
        return value * 1.1; // flaky: PLR308
    }
}

class FloatDeepTest {
    @Test
    void computesRate() {
        double rate = new Mortgage().rate(3.0, 1);
        assertEquals(3.3, rate); // flaky: PLR308
        //~ assertEquals(3.3, rate, 0.0001);
    }
}
