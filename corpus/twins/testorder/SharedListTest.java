// route: static field of the test
// settled: cleared in setup
package example.sharedlist;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SharedListTest {
    private static final List<String> EVENTS = new ArrayList<>();

    //+ @BeforeEach
    //+ void clear() {
    //+     EVENTS.clear();
    //+ }
    //+
    @Test
    void recordsLogin() {
        EVENTS.add("login"); // flaky: PLR501
        assertTrue(EVENTS.contains("login"));
    }

    @Test
    void startsEmpty() {
        assertTrue(EVENTS.isEmpty()); // flaky: PLR502
    }
}
