// route: superclass
// settled: reset in setup
package example.superclassstate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class ContextTestCase {
    protected static String currentUser;

    //+ @BeforeEach
    //+ void reset() {
    //+     currentUser = null;
    //+ }
    //+
    protected void login(String user) {
        currentUser = user; // flaky: PLR501
    }
}

class SuperclassStateTest extends ContextTestCase {
    @Test
    void logsIn() {
        login("ann"); // flaky: PLR501
        assertEquals("ann", currentUser);
    }

    @Test
    void isLoggedOut() {
        assertNull(currentUser); // flaky: PLR502
    }
}
