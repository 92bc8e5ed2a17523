package dev.waybill.alerts.digest;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Ages such as "3 seconds ago". */
public final class RelativeAge {

    private final Clock clock;

    public RelativeAge() {
        this(Clock.systemUTC());
    }

    public RelativeAge(Clock clock) {
        this.clock = clock;
    }

    public String of(Instant then) {
        long seconds = Duration.between(then, clock.instant()).toSeconds();
        if (seconds < 60) {
            return seconds + " seconds ago";
        }
        return seconds / 60 + " minutes ago";
    }
}
