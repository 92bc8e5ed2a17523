// route: body
// settled: not retried
package example.modem;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class Dial {
    boolean connect() {
        return true;
    }
}

class ModemTest {
    @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
    @interface Retry {
        int value();
    }

    @Test
    @Retry(3) // flaky: PLR601
    //~
    void connects() {
        assertTrue(new Dial().connect());
    }
}
