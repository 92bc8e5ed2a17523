// route: code under test, 1 call
// settled: Charset given
package example.defaultreader;

import static org.junit.Assert.assertEquals;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.junit.Test;

class Lines {
    static String first(InputStream in) throws IOException {
        return new BufferedReader(new InputStreamReader(in)).readLine(); // flaky: PLR305
        //~ return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
    }
}

public class DefaultReaderTest {
    @Test
    public void readsLine() throws Exception {
        byte[] text = {(byte) 0xc3, (byte) 0xa9};
        assertEquals("\u00e9", Lines.first(new ByteArrayInputStream(text)));
    }
}
