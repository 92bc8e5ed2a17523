// route: helper
// settled: value given
package example.osname;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class OsNameTest {
    private String executable(String os) {
        return os.startsWith("Windows") ? "run.exe" : "run";
    }

    @Test
    void hasNoSuffix() {
        assertEquals("run", executable(System.getProperty("os.name"))); // flaky: PLR306
        //~ assertEquals("run", executable("Linux"));
    }
}
