// route: code under test, 1 call
// settled: tolerance
package example.average;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

class Statistics {
    double mean(double... values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length; // flaky: PLR308
    }
}

public class AverageTest {
    @Test
    public void averages() {
        double mean = new Statistics().mean(0.1, 0.7);
        assertTrue(mean == 0.4); // flaky: PLR308
        //~ assertTrue(Math.abs(mean - 0.4) < 1e-6);
    }
}
