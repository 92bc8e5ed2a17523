// route: code under test, 1 call
// settled: ZoneId given
package example.datetotext;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.format.DateTimeFormatter;
import java.util.Date;
import org.junit.jupiter.api.Test;

class Stamp {
    String text(Date date) {
        return date.toString(); // flaky: PLR304
        //~ return DateTimeFormatter.ISO_INSTANT.format(date.toInstant());
    }
}

class DateToTextTest {
    @Test
    void printsDate() {
        String text = new Stamp().text(new Date(0));
        assertTrue(text.contains("00:00:00"));
    }
}
