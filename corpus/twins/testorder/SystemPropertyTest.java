// route: body
// settled: property cleared in teardown
package example.systemproperty;

import static org.junit.Assert.assertEquals;

import org.junit.After;
import org.junit.Test;

class Paths {
    static String home() {
        return System.getProperty("app.home", "/opt/app");
    }
}

public class SystemPropertyTest {
    //+ @After
    //+ public void clear() {
    //+     System.clearProperty("app.home");
    //+ }
    //+
    @Test
    public void usesProperty() {
        System.setProperty("app.home", "/srv"); // flaky: PLR503
        assertEquals("/srv", Paths.home());
    }

    @Test
    public void hasDefault() {
        assertEquals("/opt/app", Paths.home());
    }
}
