// route: body
// settled: local fake
package example.openedurl;

import static org.junit.Assert.assertNotNull;

import java.io.File;
import java.io.InputStream;
import java.net.URL;
import org.junit.Test;

public class OpenedUrlTest {
    @Test
    public void reads() throws Exception {
        File page = File.createTempFile("page", ".html");
        URL url = new URL("http://www.google.com/"); // flaky: PLR402
        //~ URL url = page.toURI().toURL();
        try (InputStream in = url.openStream()) { // flaky: PLR402
            assertNotNull(in);
        }
        page.delete();
    }
}
