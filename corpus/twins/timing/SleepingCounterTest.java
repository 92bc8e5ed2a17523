// route: body
// settled: join
package example.sleepingcounter;

import static org.junit.Assert.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

public class SleepingCounterTest {
    @Test
    public void countsInBackground() throws Exception {
        AtomicInteger count = new AtomicInteger();
        Thread worker = new Thread(() -> count.addAndGet(3));
        worker.start();
        Thread.sleep(100); // flaky: PLR201
        //~ worker.join();
        assertEquals(3, count.get());
    }
}
