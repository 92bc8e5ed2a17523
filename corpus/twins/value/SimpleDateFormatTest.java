// route: field of the test
// settled: Locale given
package example.simpledateformat;

import static org.junit.Assert.assertEquals;

import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.Before;
import org.junit.Test;

public class SimpleDateFormatTest {
    private final SimpleDateFormat format = new SimpleDateFormat("MMMM"); // flaky: PLR304
    //~ private final SimpleDateFormat format = new SimpleDateFormat("MMMM", Locale.ENGLISH);

    @Before
    public void setZone() {
        format.setTimeZone(TimeZone.getTimeZone("UTC"));
    }

    @Test
    public void namesMonth() {
        assertEquals("January", format.format(new Date(0)));
    }
}
