// route: body
// settled: result of the wait asserted
package example.ignoredlatch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class IgnoredLatchTest {
    @Test
    public void collects() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        List<String> results = new CopyOnWriteArrayList<>();
        new Thread(() -> {
            results.add("x");
            done.countDown();
        }).start();
        done.await(10, TimeUnit.SECONDS); // flaky: PLR206
        //~ assertTrue(done.await(10, TimeUnit.SECONDS));
        assertEquals(1, results.size());
    }
}
