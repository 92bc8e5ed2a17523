// route: setup
// settled: port 0
package example.httpserverport;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpServerPortTest {
    private static final int PORT = 9191; // flaky: PLR401
    //~ private static final int PORT = 0;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(PORT), 0); // flaky: PLR401
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void hasAddress() {
        assertNotNull(server.getAddress());
    }
}
