// route: body
// settled: generous limit
package example.shortlatch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ShortLatchTest {
    @Test
    void finishes() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Thread worker = new Thread(done::countDown);
        worker.start();
        assertTrue(done.await(10, TimeUnit.MILLISECONDS)); // flaky: PLR203
        //~ assertTrue(done.await(60, TimeUnit.SECONDS));
    }
}
