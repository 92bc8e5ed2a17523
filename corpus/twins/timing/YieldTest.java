// route: body
// settled: join
package example.yield;

import static org.junit.Assert.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.Test;

public class YieldTest {
    @Test
    public void letsOthersRun() throws Exception {
        AtomicBoolean ran = new AtomicBoolean();
        Thread other = new Thread(() -> ran.set(true));
        other.start();
        Thread.yield(); // flaky: PLR207
        //~ other.join();
        assertTrue(ran.get());
    }
}
