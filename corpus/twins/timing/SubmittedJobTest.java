// route: body
// settled: future
package example.submittedjob;

import static org.junit.Assert.assertTrue;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.Test;

public class SubmittedJobTest {
    @Test
    public void runsTheJob() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        AtomicBoolean ran = new AtomicBoolean();
        Future<?> job = pool.submit(() -> ran.set(true)); // flaky: PLR202
        //+ job.get();
        assertTrue(ran.get());
        pool.shutdown();
    }
}
