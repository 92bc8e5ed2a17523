// route: body
// settled: EnumMap
package example.enumnames;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

enum Level { LOW, MIDDLE, HIGH }

class EnumNamesTest {
    @Test
    void printsLevels() {
        Map<Level, String> labels = new HashMap<>(); // flaky: PLR101
        //~ Map<Level, String> labels = new EnumMap<>(Level.class);
        labels.put(Level.LOW, "l");
        labels.put(Level.HIGH, "h");
        assertEquals("{LOW=l, HIGH=h}", labels.toString());
    }
}
