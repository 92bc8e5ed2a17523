// route: code under test, 6 calls
// settled: fixed Clock
package example.deepclock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class Service {
    private final Audit audit;

    Service(Clock clock) {
        audit = new Audit(clock);
    }

    String save(String name) {
        return name + audit.stamp();
    }
}

class Audit {
    private final Stamps stamps;

    Audit(Clock clock) {
        stamps = new Stamps(clock);
    }

    String stamp() {
        return "@" + stamps.next();
    }
}

class Stamps {
    private final Ticks ticks;

    Stamps(Clock clock) {
        ticks = new Ticks(clock);
    }

    String next() {
        return ticks.format();
    }
}

class Ticks {
    private final Source source;

    Ticks(Clock clock) {
        source = new Source(clock);
    }

    String format() {
        return Long.toString(source.millis());
    }
}

class Source {
    private final Clock clock;

    Source(Clock clock) {
        this.clock = clock;
    }

    long millis() {
        return read();
    }

    private long read() {
        return clock.millis();
    }
}

class DeepClockTest {
    @Test
    void stampsNames() {
        Clock clock = Clock.systemUTC(); // flaky: PLR301
        //~ Clock clock = Clock.fixed(Instant.ofEpochMilli(42), ZoneOffset.UTC);
        assertEquals("doc@" + clock.millis(), new Service(clock).save("doc"));
    }
}
