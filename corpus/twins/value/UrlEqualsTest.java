// route: code under test, 1 call
// settled: URI
package example.urlequals;

import static org.junit.Assert.assertEquals;

import java.net.URI;
import java.net.URL;
import org.junit.Test;

class Link {
    static URL parse(String text) throws Exception {
        return new URL(text); // flaky: PLR309
    }

    static URI parseUri(String text) {
        return URI.create(text);
    }
}

public class UrlEqualsTest {
    @Test
    public void parses() throws Exception {
        assertEquals(new URL("http://example.org/a"), Link.parse("http://example.org/a")); // flaky: PLR309
        //~ assertEquals(URI.create("http://example.org/a"), Link.parseUri("http://example.org/a"));
    }
}
