// route: setup
// settled: Charset given
package example.charsetinsetup;

import static org.junit.Assert.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.Before;
import org.junit.Test;

public class CharsetInSetupTest {
    private byte[] encoded;

    @Before
    public void encode() {
        encoded = "\u00fc\u00f6".getBytes(); // flaky: PLR305
        //~ encoded = "\u00fc\u00f6".getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    public void hasTwoBytes() {
        assertEquals(2, encoded.length);
    }
}
