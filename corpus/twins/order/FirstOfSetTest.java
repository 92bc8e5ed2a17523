// route: body
// settled: single element
package example.firstofset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FirstOfSetTest {
    @Test
    void hasOneDriver() {
        Set<String> drivers = new HashSet<>(); // flaky: PLR103
        drivers.add("h2");
        drivers.add("postgres");
        //~
        assertEquals("h2", drivers.iterator().next());
    }
}
