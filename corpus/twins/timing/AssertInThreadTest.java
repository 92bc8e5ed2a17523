// route: lambda
// settled: asserted in the test's own thread
package example.assertinthread;

import static org.junit.Assert.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

public class AssertInThreadTest {
    @Test
    public void checksInThread() throws Exception {
        AtomicInteger seen = new AtomicInteger();
        Thread checker = new Thread(() -> {
            seen.set(Integer.parseInt("7"));
            assertEquals(7, seen.get()); // flaky: PLR205
            //~
        });
        checker.start();
        checker.join();
        //+ assertEquals(7, seen.get());
    }
}
