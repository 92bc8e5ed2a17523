// route: helper
// settled: port 0
package example.portinhelper;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PortInHelperTest {
    private ServerSocket open(int port) throws IOException {
        return new ServerSocket(port); // flaky: PLR401
    }

    @Test
    void opens() throws Exception {
        try (ServerSocket socket = open(6060)) { // flaky: PLR401
            //~ try (ServerSocket socket = open(0)) {
            assertTrue(socket.isBound());
        }
    }
}
