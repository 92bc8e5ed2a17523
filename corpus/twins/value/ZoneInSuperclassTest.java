// route: superclass
// settled: ZoneId given
package example.zoneinsuperclass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Calendar;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

abstract class CalendarTestCase {
    protected Calendar calendar(long millis) {
        Calendar calendar = Calendar.getInstance(); // flaky: PLR304
        //~ Calendar calendar = Calendar.getInstance(TimeZone.getTimeZone("UTC"), Locale.ROOT);
        calendar.setTimeInMillis(millis);
        return calendar;
    }
}

class ZoneInSuperclassTest extends CalendarTestCase {
    @Test
    void startsAtMidnight() {
        assertEquals(0, calendar(0).get(Calendar.HOUR_OF_DAY));
    }
}
