// route: field of the code under test, through its constructor
// settled: port 0
package example.portargument;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.DatagramSocket;
import org.junit.jupiter.api.Test;

class Gateway {
    private final int port;

    Gateway(int port) {
        this.port = port;
    }

    String serve() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(port)) { // flaky: PLR401
            return socket.isBound() ? "up" : "down";
        }
    }
}

class PortArgumentTest {
    @Test
    void serves() throws Exception {
        Gateway gateway = new Gateway(4444); // flaky: PLR401
        //~ Gateway gateway = new Gateway(0);
        assertEquals("up", gateway.serve());
    }
}
