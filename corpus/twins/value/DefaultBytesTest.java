// route: body
// settled: Charset given
package example.defaultbytes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DefaultBytesTest {
    @Test
    void encodesUmlaut() {
        byte[] bytes = "\u00e4".getBytes(); // flaky: PLR305
        //~ byte[] bytes = "\u00e4".getBytes(StandardCharsets.UTF_8);
        assertEquals(2, bytes.length);
    }
}
