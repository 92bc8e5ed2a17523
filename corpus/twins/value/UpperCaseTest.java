// route: code under test, 1 call
// settled: Locale given
package example.uppercase;

import static org.junit.Assert.assertEquals;

import java.util.Locale;
import org.junit.Test;

class Keys {
    static String normalise(String key) {
        return key.trim().toUpperCase(); // flaky: PLR304
        //~ return key.trim().toUpperCase(Locale.ROOT);
    }
}

public class UpperCaseTest {
    @Test
    public void normalises() {
        assertEquals("TITLE", Keys.normalise(" title "));
    }
}
