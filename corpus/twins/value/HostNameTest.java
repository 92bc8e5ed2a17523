// route: setup
// settled: only presence asserted
package example.hostname;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.net.InetAddress;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HostNameTest {
    private String host;

    @BeforeEach
    void lookUp() throws Exception {
        host = InetAddress.getLocalHost().getHostName(); // flaky: PLR306
    }

    @Test
    void knowsHost() {
        assertEquals("build-server", host);
        //~ assertNotNull(host);
    }
}
