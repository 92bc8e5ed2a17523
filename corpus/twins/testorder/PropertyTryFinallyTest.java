// route: helper
// settled: restored in finally
package example.propertytryfinally;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class PropertyTryFinallyTest {
    private String read(String mode) {
        System.setProperty("run.mode", mode); // flaky: PLR503
        try {
            return System.getProperty("run.mode");
        } finally {
            assertNotNull(mode);
            //~ System.clearProperty("run.mode");
        }
    }

    @Test
    void switchesMode() {
        assertEquals("fast", read("fast"));
    }

    @Test
    void hasNoModeAtFirst() {
        assertNull(System.getProperty("run.mode"));
    }
}
