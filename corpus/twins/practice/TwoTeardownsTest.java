// route: teardown
// settled: merged into one
package example.twoteardowns;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TwoTeardownsTest {
    private final StringBuilder log = new StringBuilder();

    @AfterEach
    void closeStream() {
        log.append("stream");
        //+ log.append("server");
    }

    @AfterEach // flaky: PLR602
    //~
    void closeServer() { // flaky: PLR602
        //~ void stopServer() {
        log.append("server");
    }

    @Test
    void isEmpty() {
        assertEquals(0, log.length());
    }
}
