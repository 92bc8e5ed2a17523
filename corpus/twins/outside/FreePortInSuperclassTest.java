// route: superclass
// settled: port 0
package example.freeportinsuperclass;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

abstract class PortTestCase {
    protected int port() throws IOException {
        ServerSocket probe = new ServerSocket(0); // flaky: PLR404
        try {
            return probe.getLocalPort(); // flaky: PLR404
            //~ return 0;
        } finally {
            probe.close();
        }
    }
}

class FreePortInSuperclassTest extends PortTestCase {
    @Test
    void listens() throws Exception {
        try (ServerSocket server = new ServerSocket(port())) { // flaky: PLR404
            assertTrue(server.isBound());
        }
    }
}
