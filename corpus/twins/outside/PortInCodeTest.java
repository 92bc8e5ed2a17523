// route: code under test, 1 call
// settled: port 0
package example.portincode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class Listener implements AutoCloseable {
    private final ServerSocket socket;

    Listener() throws IOException {
        socket = new ServerSocket(5555); // flaky: PLR401
        //~ socket = new ServerSocket(0);
    }

    boolean isOpen() {
        return socket.isBound();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

class PortInCodeTest {
    @Test
    void opens() throws Exception {
        try (Listener listener = new Listener()) {
            assertTrue(listener.isOpen());
        }
    }
}
