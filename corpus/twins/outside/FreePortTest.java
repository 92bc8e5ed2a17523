// route: helper
// settled: port 0
package example.freeport;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class FreePortTest {
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) { // flaky: PLR404
            return socket.getLocalPort(); // flaky: PLR404
        }
    }

    @Test
    void serves() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(freePort()), 0); // flaky: PLR404
        //~ HttpServer server = HttpServer.create(new InetSocketAddress(0), 0);
        server.start();
        assertTrue(server.getAddress().getPort() > 0);
        server.stop(0);
    }
}
