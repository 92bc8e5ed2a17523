// route: code under test, 1 call
// settled: port 0
package example.portfinder;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class Ports {
    static int next() {
        try (ServerSocket socket = new ServerSocket(0)) { // flaky: PLR404
            socket.setReuseAddress(true);
            return socket.getLocalPort(); // flaky: PLR404
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}

class PortFinderTest {
    @Test
    void binds() throws Exception {
        try (ServerSocket server = new ServerSocket(Ports.next())) { // flaky: PLR404
            //~ try (ServerSocket server = new ServerSocket(0)) {
            assertTrue(server.isBound());
        }
    }
}
