// route: code under test, 3 calls
// settled: ZoneId given
package example.defaultzone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class Agenda {
    String line(long millis) {
        return "at " + new Times().text(millis);
    }
}

class Times {
    String text(long millis) {
        return format(Instant.ofEpochMilli(millis));
    }

    private String format(Instant instant) {
        return instant.atZone(ZoneId.systemDefault()).toLocalTime().toString(); // flaky: PLR304
        //~ return instant.atZone(ZoneId.of("UTC")).toLocalTime().toString();
    }
}

class DefaultZoneTest {
    @Test
    void printsTime() {
        assertEquals("at 00:00", new Agenda().line(0));
    }
}
