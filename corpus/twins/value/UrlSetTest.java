// route: setup
// settled: URI
package example.urlset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.URL;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UrlSetTest {
    private final Set<Object> seen = new HashSet<>();

    @BeforeEach
    void crawl() throws Exception {
        seen.add(new URL("https://example.com/x")); // flaky: PLR309
        //~ seen.add(new URI("https://example.com/x"));
    }

    @Test
    void sawOne() {
        assertEquals(1, seen.size());
    }
}
