// route: helper
// settled: Charset given
package example.decodedbytes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DecodedBytesTest {
    private String text(byte[] bytes) {
        return new String(bytes); // flaky: PLR305
        //~ return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void decodes() {
        assertEquals("\u20ac", text(new byte[] {(byte) 0xe2, (byte) 0x82, (byte) 0xac}));
    }
}
