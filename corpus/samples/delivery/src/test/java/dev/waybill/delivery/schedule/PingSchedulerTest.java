package dev.waybill.delivery.schedule;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import dev.waybill.delivery.support.ManualScheduler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class PingSchedulerTest {

    private final AtomicInteger pings = new AtomicInteger();
    private ScheduledExecutorService executor;

    @Before
    public void setUp() {
        executor = Executors.newSingleThreadScheduledExecutor();
    }

    @After
    public void tearDown() {
        executor.shutdownNow();
    }

    @Test
    public void pingsAtTheGivenRate() throws InterruptedException {
        new PingScheduler(executor).pingEvery(20, pings::incrementAndGet);
        TimeUnit.MILLISECONDS.sleep(70);
        assertEquals(3, pings.get());
    }

    @Test
    public void pingsWheneverThePeriodIsOver() {
        ManualScheduler time = new ManualScheduler();
        new PingScheduler(time).pingEvery(20, pings::incrementAndGet);
        time.advance(70);
        assertEquals(3, pings.get());
    }

    @Test
    public void keepsPinging() throws InterruptedException {
        CountDownLatch three = new CountDownLatch(3);
        new PingScheduler(executor).pingEvery(5, three::countDown);
        assertTrue(three.await(1, TimeUnit.MINUTES));
    }

    @Test
    public void singlePingIsDoneWhenTheFutureIs() throws Exception {
        new PingScheduler(executor).pingOnce(5, pings::incrementAndGet).get();
        assertEquals(1, pings.get());
    }
}
