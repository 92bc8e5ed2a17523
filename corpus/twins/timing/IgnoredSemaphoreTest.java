// route: superclass
// settled: acquire without a limit
package example.ignoredsemaphore;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

abstract class GateTestCase {
    protected final Semaphore gate = new Semaphore(0);

    protected void pass() throws InterruptedException {
        gate.tryAcquire(10, TimeUnit.SECONDS); // flaky: PLR206
        //~ gate.acquire();
    }
}

class IgnoredSemaphoreTest extends GateTestCase {
    private volatile String state = "closed";

    @Test
    void opens() throws Exception {
        Thread opener = new Thread(() -> {
            state = "open";
            gate.release();
        });
        opener.start();
        pass();
        assertEquals("open", state);
    }
}
