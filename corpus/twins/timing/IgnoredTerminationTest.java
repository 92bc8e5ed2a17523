// route: helper
// settled: result of the wait asserted
package example.ignoredtermination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class IgnoredTerminationTest {
    private final ExecutorService pool = Executors.newFixedThreadPool(2);

    private void finish() throws InterruptedException {
        pool.shutdown();
        pool.awaitTermination(20, TimeUnit.SECONDS); // flaky: PLR206
        //~ assertTrue(pool.awaitTermination(20, TimeUnit.SECONDS));
    }

    @Test
    void addsUp() throws Exception {
        AtomicInteger sum = new AtomicInteger();
        pool.execute(() -> sum.addAndGet(4));
        pool.execute(() -> sum.addAndGet(5));
        finish();
        assertEquals(9, sum.get());
    }
}
