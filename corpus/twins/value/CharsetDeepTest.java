// route: code under test, 3 calls
// settled: Charset given
package example.charsetdeep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class Hasher {
    int checksum(String text) {
        return sum(bytes(text));
    }

    private byte[] bytes(String text) {
        return encode(text);
    }

    private byte[] encode(String text) {
        return text.getBytes(); // flaky: PLR305
        //~ return text.getBytes(StandardCharsets.UTF_8);
    }

    private int sum(byte[] bytes) {
        int sum = 0;
        for (byte value : bytes) {
            sum += value & 0xff;
        }
        return sum;
    }
}

class CharsetDeepTest {
    @Test
    void sumsBytes() {
        assertEquals(0xc3 + 0x9f, new Hasher().checksum("\u00df"));
    }
}
