// route: body
// settled: generous limit
package example.timeoutannotation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TimeoutAnnotationTest {
    @Test
    @Timeout(value = 20, unit = TimeUnit.MILLISECONDS) // flaky: PLR203
    //~ @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void connects() {
        String text = "x".repeat(1000);
        assertEquals(1000, text.length());
    }
}
