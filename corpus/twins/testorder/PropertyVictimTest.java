// route: superclass
// settled: property cleared in teardown
package example.propertyvictim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

abstract class PropertyTestCase {
    protected void configure(String value) {
        System.setProperty("search.limit", value); // flaky: PLR503
    }

    //+ @AfterEach
    //+ void clear() {
    //+     System.clearProperty("search.limit");
    //+ }
}

class PropertyVictimTest extends PropertyTestCase {
    @Test
    void limits() {
        configure("5"); // flaky: PLR503
        assertEquals(5, Integer.getInteger("search.limit"));
    }

    @Test
    void hasNoLimit() {
        assertNull(System.getProperty("search.limit"));
    }
}
