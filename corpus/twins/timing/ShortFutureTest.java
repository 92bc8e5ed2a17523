// route: helper
// settled: generous limit
package example.shortfuture;

import static org.junit.Assert.assertEquals;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Test;

public class ShortFutureTest {
    private final ExecutorService pool = Executors.newSingleThreadExecutor();

    private String result(Future<String> future) throws Exception {
        return future.get(20, TimeUnit.MILLISECONDS); // flaky: PLR203
        //~ return future.get(1, TimeUnit.MINUTES);
    }

    @After
    public void stop() {
        pool.shutdownNow();
    }

    @Test
    public void answers() throws Exception {
        assertEquals("pong", result(pool.submit(() -> "pong")));
    }
}
