// route: superclass
// settled: result asserted instead
package example.elapsedinsetup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class TimedTestCase {
    protected long start;

    @BeforeEach
    void startTimer() {
        start = System.currentTimeMillis(); // flaky: PLR204
    }

    protected long elapsed() {
        return System.currentTimeMillis() - start; // flaky: PLR204
    }
}

class ElapsedInSetupTest extends TimedTestCase {
    @Test
    void hashesQuickly() {
        int hash = "some text".hashCode();
        assertTrue(elapsed() < 20);
        //~ assertEquals("some text".hashCode(), hash);
    }
}
