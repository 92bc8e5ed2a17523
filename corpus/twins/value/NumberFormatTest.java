// route: helper
// settled: Locale given
package example.numberformat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.text.NumberFormat;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class NumberFormatTest {
    private String grouped(long number) {
        return NumberFormat.getInstance().format(number); // flaky: PLR304
        //~ return NumberFormat.getInstance(Locale.US).format(number);
    }

    @Test
    void groupsDigits() {
        assertEquals("1,000,000", grouped(1_000_000));
    }
}
