// route: body
// settled: ZoneId given
package example.datetext;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;

class DateTextTest {
    @Test
    void printsEpoch() {
        DateTimeFormatter pattern = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");
        DateTimeFormatter format = pattern.withZone(ZoneId.systemDefault()); // flaky: PLR304
        //~ DateTimeFormatter format = pattern.withZone(ZoneOffset.UTC);
        assertEquals("1970-01-01 00:00", format.format(Instant.EPOCH));
    }
}
