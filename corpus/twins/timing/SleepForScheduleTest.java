// route: body
// settled: latch
package example.sleepforschedule;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class Heartbeat {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    final AtomicInteger beats = new AtomicInteger();
    final CountDownLatch first = new CountDownLatch(1);

    void start() {
        timer.scheduleAtFixedRate(() -> {
            beats.incrementAndGet();
            first.countDown();
        }, 0, 10, TimeUnit.MILLISECONDS);
    }

    void stop() {
        timer.shutdownNow();
    }
}

class SleepForScheduleTest {
    @Test
    void beats() throws Exception {
        Heartbeat heartbeat = new Heartbeat();
        heartbeat.start();
        Thread.sleep(35); // flaky: PLR201
        //~ heartbeat.first.await();
        assertTrue(heartbeat.beats.get() > 0);
        heartbeat.stop();
    }
}
