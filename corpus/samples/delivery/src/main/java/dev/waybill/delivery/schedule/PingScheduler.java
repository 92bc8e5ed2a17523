package dev.waybill.delivery.schedule;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Asks vans for their position every now and then. */
public final class PingScheduler {

    private final ScheduledExecutorService executor;

    public PingScheduler(ScheduledExecutorService executor) {
        this.executor = executor;
    }

    public ScheduledFuture<?> pingEvery(long millis, Runnable ping) {
        return executor.scheduleAtFixedRate(ping, millis, millis, TimeUnit.MILLISECONDS);
    }

    public ScheduledFuture<?> pingOnce(long millis, Runnable ping) {
        return executor.schedule(ping, millis, TimeUnit.MILLISECONDS);
    }
}
