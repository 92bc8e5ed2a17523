// route: superclass
// settled: future
package example.sleepinsuperclass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

abstract class AsyncTestCase {
    protected void settle(Future<?> started) throws Exception {
        Thread.sleep(50); // flaky: PLR201
        //~ started.get();
    }
}

class SleepInSuperclassTest extends AsyncTestCase {
    private final ExecutorService pool = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop() {
        pool.shutdownNow();
    }

    @Test
    void writesInOrder() throws Exception {
        StringBuffer log = new StringBuffer();
        Future<?> written = pool.submit(() -> log.append("written"));
        settle(written);
        assertEquals("written", log.toString());
    }
}
