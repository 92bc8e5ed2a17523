// route: superclass
// settled: fixed Clock
package example.clockinsuperclass;

import static org.junit.Assert.assertEquals;

import java.time.Clock;
import java.time.Instant;
import java.time.Year;
import java.time.ZoneOffset;
import org.junit.Test;

abstract class ClockTestCase {
    protected Clock clock() {
        return Clock.systemDefaultZone(); // flaky: PLR301
        //~ return Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
    }
}

public class ClockInSuperclassTest extends ClockTestCase {
    @Test
    public void opensInTheYear() {
        assertEquals(1970, Year.now(clock()).getValue());
    }
}
