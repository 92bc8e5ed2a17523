// route: helper
// settled: result asserted instead
package example.nanotime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class NanoTimeTest {
    private long nanos(Runnable work) {
        long start = System.nanoTime(); // flaky: PLR204
        work.run();
        return System.nanoTime() - start; // flaky: PLR204
    }

    @Test
    void appendsQuickly() {
        StringBuilder text = new StringBuilder();
        long spent = nanos(() -> text.append("abc"));
        assertTrue(spent < 1_000_000);
        //~ assertEquals("abc", text.toString());
    }
}
