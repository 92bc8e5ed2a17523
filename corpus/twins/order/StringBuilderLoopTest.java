// route: body
// settled: iterate and count
package example.stringbuilderloop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StringBuilderLoopTest {
    @Test
    void visitsEveryCity() {
        Set<String> cities = new HashSet<>(List.of("Bern", "Rome", "Oslo")); // flaky: PLR101
        StringBuilder route = new StringBuilder();
        for (String city : cities) {
            route.append(city).append('-');
            //~ route.append('-');
        }
        assertEquals("Bern-Oslo-Rome-", route.toString());
        //~ assertEquals("---", route.toString());
    }
}
