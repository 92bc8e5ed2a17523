package dev.waybill.orders.support;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that moves on by one step whenever it is read. */
public final class TickingClock extends Clock {

    private final Duration step;
    private Instant next;

    public TickingClock(Instant start, Duration step) {
        this.next = start;
        this.step = step;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Instant instant() {
        Instant now = next;
        next = next.plus(step);
        return now;
    }
}
