// route: body
// settled: both sides from the same value
package example.derivedexpectation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DerivedExpectationTest {
    @Test
    void joinsLikeTheSet() {
        Set<String> colors = new HashSet<>(List.of("red", "blue")); // flaky: PLR101
        StringBuilder text = new StringBuilder();
        for (String color : colors) {
            text.append(color);
        }
        assertEquals("redblue", text.toString());
        //~ assertEquals(String.join("", colors), text.toString());
    }
}
