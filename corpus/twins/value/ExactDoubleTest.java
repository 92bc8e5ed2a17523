// route: body
// settled: tolerance
package example.exactdouble;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ExactDoubleTest {
    @Test
    void addsTenths() {
        double sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += 0.1; // flaky: PLR308
        }
        assertEquals(0.3, sum); // flaky: PLR308
        //~ assertEquals(0.3, sum, 1e-9);
    }
}
