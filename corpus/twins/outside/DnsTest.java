// route: setup
// settled: local fake
package example.dns;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.net.InetAddress;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DnsTest {
    private InetAddress address;

    @BeforeEach
    void resolve() throws Exception {
        address = InetAddress.getByName("www.wikipedia.org"); // flaky: PLR402
        //~ address = InetAddress.getByName("127.0.0.1");
    }

    @Test
    void resolves() {
        assertNotNull(address.getHostAddress());
    }
}
