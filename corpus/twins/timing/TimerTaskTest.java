// route: setup
// settled: latch
package example.timertask;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TimerTaskTest {
    private final Timer timer = new Timer(true);
    private final CountDownLatch fired = new CountDownLatch(1);
    private final AtomicInteger runs = new AtomicInteger();

    @BeforeEach
    void schedule() throws Exception {
        timer.schedule(new TimerTask() { // flaky: PLR202
            @Override
            public void run() {
                runs.incrementAndGet();
                fired.countDown();
            }
        }, 1);
        //+ fired.await();
    }

    @AfterEach
    void cancel() {
        timer.cancel();
    }

    @Test
    void fires() {
        assertEquals(1, runs.get());
    }
}
