// route: lambda
// settled: future
package example.assertinexecutor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AssertInExecutorTest {
    @Test
    void checksInPool() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Future<?> check = pool.submit(() -> {
            String text = "a,b".replace(",", "");
            assertEquals("ab", text); // flaky: PLR205
        });
        pool.shutdown();
        assertTrue(pool.awaitTermination(1, TimeUnit.MINUTES));
        //~ check.get();
    }
}
