// route: code under test, 1 call
// settled: fixed Clock
package example.timestamp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class Receipt {
    private final Clock clock;

    Receipt(Clock clock) {
        this.clock = clock;
    }

    LocalDateTime printedAt() {
        return LocalDateTime.now(clock);
    }
}

class TimestampTest {
    private final Clock clock = Clock.systemUTC(); // flaky: PLR301
    //~ private final Clock clock = Clock.fixed(Instant.parse("2020-01-01T10:00:00Z"), ZoneOffset.UTC);

    @Test
    void isPrintedNow() {
        assertEquals(LocalDateTime.now(clock), new Receipt(clock).printedAt());
    }
}
