// route: body
// settled: value given
package example.environment;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class EnvironmentTest {
    @Test
    public void usesHome() {
        String home = System.getenv("HOME"); // flaky: PLR306
        //~ String home = "/home/ann";
        assertEquals("/home/ann/.config", home + "/.config");
    }
}
