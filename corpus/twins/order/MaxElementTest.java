// route: code under test, 1 call
// settled: max
package example.maxelement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class Thermometer {
    private final Set<Double> readings = new HashSet<>(); // flaky: PLR103

    void read(double value) {
        readings.add(value);
    }

    double value() {
        return readings.iterator().next();
        //~ return Collections.max(readings);
    }
}

class MaxElementTest {
    @Test
    void returnsHighest() {
        Thermometer thermometer = new Thermometer();
        thermometer.read(20.5);
        thermometer.read(36.6);
        assertEquals(36.6, thermometer.value(), 0.001);
    }
}
