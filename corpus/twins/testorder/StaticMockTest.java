// route: body
// settled: try-with-resources
package example.staticmock;

import static org.junit.Assert.assertEquals;
import static org.mockito.Mockito.mockStatic;

import org.junit.Test;
import org.mockito.MockedStatic;

class Version {
    static String current() {
        return "1.0";
    }
}

public class StaticMockTest {
    @Test
    public void mocksVersion() {
        MockedStatic<Version> version = mockStatic(Version.class); // flaky: PLR506
        //~ try (MockedStatic<Version> version = mockStatic(Version.class)) {
        version.when(Version::current).thenReturn("2.0");
        assertEquals("2.0", Version.current());
        //+ }
    }

    @Test
    public void knowsVersion() {
        assertEquals("1.0", Version.current());
    }
}
