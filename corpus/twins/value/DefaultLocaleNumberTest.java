// route: body
// settled: Locale given
package example.defaultlocalenumber;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class DefaultLocaleNumberTest {
    @Test
    void formatsPrice() {
        String price = String.format("%.2f", 3.5); // flaky: PLR304
        //~ String price = String.format(Locale.ROOT, "%.2f", 3.5);
        assertEquals("3.50", price);
    }
}
