// route: helper
// settled: restored in finally
package example.staticsetter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class Limits {
    private static int max = 10;

    static void setMax(int value) {
        max = value; // flaky: PLR501
    }

    static int getMax() {
        return max;
    }
}

class StaticSetterTest {
    private void withLimit(int limit, Runnable check) {
        int before = Limits.getMax();
        Limits.setMax(limit); // flaky: PLR501
        try {
            check.run();
        } finally {
            assertEquals(limit, Limits.getMax());
            //+ Limits.setMax(before);
        }
    }

    @Test
    void acceptsMore() {
        withLimit(100, () -> assertTrue(Limits.getMax() > 50));
    }

    @Test
    void hasDefault() {
        assertEquals(10, Limits.getMax());
    }
}
