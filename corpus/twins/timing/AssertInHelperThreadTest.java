// route: helper
// settled: asserted in the test's own thread
package example.assertinhelperthread;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class AssertInHelperThreadTest {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    private void check() {
        assertEquals(1, seen.size()); // flaky: PLR205
    }

    @Test
    void seesOne() throws Exception {
        seen.add("one");
        Thread thread = new Thread(this::check); // flaky: PLR205
        //~ Thread thread = new Thread(() -> seen.add("two"));
        thread.start();
        thread.join();
        //+ assertEquals(2, seen.size());
    }
}
