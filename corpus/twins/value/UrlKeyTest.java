// route: body
// settled: URI
package example.urlkey;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.URL;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UrlKeyTest {
    @Test
    void countsPages() throws Exception {
        Map<URL, Integer> visits = new HashMap<>(); // flaky: PLR309
        //~ Map<URI, Integer> visits = new HashMap<>();
        visits.put(new URL("http://example.org/"), 1); // flaky: PLR309
        //~ visits.put(new URI("http://example.org/"), 1);
        assertEquals(1, visits.size());
    }
}
