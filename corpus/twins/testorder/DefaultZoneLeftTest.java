// route: setup
// settled: restored in teardown
package example.defaultzoneleft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DefaultZoneLeftTest {
    private final TimeZone before = TimeZone.getDefault();

    @BeforeEach
    void useTokyo() {
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo")); // flaky: PLR504
    }

    //+ @AfterEach
    //+ void restore() {
    //+     TimeZone.setDefault(before);
    //+ }
    //+
    @Test
    void isNineHoursAhead() {
        assertEquals(9 * 3_600_000, TimeZone.getDefault().getRawOffset());
    }
}
