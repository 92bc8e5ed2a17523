// route: setup
// settled: Locale given
package example.localeinsetup;

import static org.junit.Assert.assertEquals;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import org.junit.Before;
import org.junit.Test;

public class LocaleInSetupTest {
    private DecimalFormat format;

    @Before
    public void createFormat() {
        format = new DecimalFormat("0.0"); // flaky: PLR304
        //~ format = new DecimalFormat("0.0", DecimalFormatSymbols.getInstance(Locale.ROOT));
    }

    @Test
    public void formats() {
        assertEquals("2.5", format.format(2.5));
    }
}
