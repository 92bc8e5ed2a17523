// route: body
// settled: restored in teardown
package example.defaultlocale;

import static org.junit.Assert.assertEquals;

import java.util.Locale;
import org.junit.After;
import org.junit.Test;

public class DefaultLocaleTest {
    private final Locale before = Locale.getDefault();

    //+ @After
    //+ public void restore() {
    //+     Locale.setDefault(before);
    //+ }
    //+
    @Test
    public void isGerman() {
        Locale.setDefault(Locale.GERMANY); // flaky: PLR504
        assertEquals("de", Locale.getDefault().getLanguage());
    }
}
