// route: helper
// settled: URI
package example.urlinhelper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.URL;
import org.junit.jupiter.api.Test;

class UrlInHelperTest {
    private int hash(String address) throws Exception {
        return new URL(address).hashCode(); // flaky: PLR309
        //~ return new URI(address).hashCode();
    }

    @Test
    void hasSameHash() throws Exception {
        assertEquals(hash("http://example.net/a"), hash("http://example.net/a"));
    }
}
