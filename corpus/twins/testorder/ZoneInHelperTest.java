// route: helper
// settled: restored in finally
package example.zoneinhelper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.TimeZone;
import org.junit.jupiter.api.Test;

class ZoneInHelperTest {
    private int offset(String zone) {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone(zone)); // flaky: PLR504
        try {
            return TimeZone.getDefault().getRawOffset();
        } finally {
            assertNotNull(before);
            //~ TimeZone.setDefault(before);
        }
    }

    @Test
    void utcHasNoOffset() {
        assertEquals(0, offset("UTC"));
    }
}
