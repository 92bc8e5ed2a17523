// route: field of the test
// settled: only presence asserted
package example.notnulltime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class NotNullTimeTest {
    private final Instant started = Instant.now(); // flaky: PLR301

    @Test
    void hasStart() {
        assertEquals(Instant.now(), started); // flaky: PLR301
        //~ assertNotNull(started);
    }
}
