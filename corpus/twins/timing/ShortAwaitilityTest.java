// route: superclass
// settled: generous limit
package example.shortawaitility;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

abstract class WaitingTestCase {
    protected void waitUntil(Callable<Boolean> condition) {
        await().atMost(200, TimeUnit.MILLISECONDS).until(condition); // flaky: PLR203
        //~ await().atMost(60, TimeUnit.SECONDS).until(condition);
    }
}

class ShortAwaitilityTest extends WaitingTestCase {
    @Test
    void becomesTrue() {
        AtomicBoolean flag = new AtomicBoolean();
        new Thread(() -> flag.set(true)).start();
        waitUntil(flag::get);
        assertTrue(flag.get());
    }
}
