// route: body
// settled: not retried
package example.modem;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junitpioneer.jupiter.RetryingTest;

class Dial {
    boolean connect() {
        return true;
    }
}

class ModemTest {
    @RetryingTest(3) // flaky: PLR601
    //~ @Test
    void connects() {
        assertTrue(new Dial().connect());
    }
}
