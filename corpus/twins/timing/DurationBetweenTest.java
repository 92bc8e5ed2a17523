// route: code under test, 1 call
// settled: fixed clock
package example.durationbetween;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class Stopwatch {
    private final Clock clock;
    private Instant started;

    Stopwatch(Clock clock) {
        this.clock = clock;
    }

    void start() {
        started = clock.instant();
    }

    Duration stop() {
        return Duration.between(started, clock.instant());
    }
}

class DurationBetweenTest {
    @Test
    void measuresNothing() {
        Stopwatch watch = new Stopwatch(Clock.systemUTC()); // flaky: PLR204 PLR301
        //~ Stopwatch watch = new Stopwatch(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
        watch.start();
        assertEquals(Duration.ZERO, watch.stop());
    }
}
