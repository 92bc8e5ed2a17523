// route: constant of the code under test
// settled: LinkedHashMap filled in a defined order
package example.staticconstantmap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class Units {
    private static final Map<String, Double> FACTORS = new HashMap<>(); // flaky: PLR101
    //~ private static final Map<String, Double> FACTORS = new LinkedHashMap<>();

    static {
        FACTORS.put("mile", 1609.0);
        FACTORS.put("yard", 0.9);
    }

    static String help() {
        return "units: " + String.join(", ", FACTORS.keySet());
    }
}

class StaticConstantMapTest {
    @Test
    void printsHelp() {
        assertEquals("units: mile, yard", Units.help());
    }
}
