// route: class setup
// settled: restored in class teardown
package example.localebeforeall;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LocaleBeforeAllTest {
    private static final Locale BEFORE = Locale.getDefault();

    @BeforeAll
    static void useFrench() {
        Locale.setDefault(Locale.FRANCE); // flaky: PLR504
    }

    //+ @AfterAll
    //+ static void restore() {
    //+     Locale.setDefault(BEFORE);
    //+ }
    //+
    @Test
    void isFrench() {
        assertEquals("FR", Locale.getDefault().getCountry());
    }
}
