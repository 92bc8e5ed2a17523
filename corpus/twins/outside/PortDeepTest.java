// route: code under test, 3 calls
// settled: port 0
package example.portdeep;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class App implements AutoCloseable {
    private final Web web = new Web();

    void start(int port) throws IOException {
        web.listen(port);
    }

    boolean isUp() {
        return web.server != null;
    }

    @Override
    public void close() {
        web.server.stop(0);
    }
}

class Web {
    HttpServer server;

    void listen(int port) throws IOException {
        server = create(port);
        server.start();
    }

    private HttpServer create(int port) throws IOException {
        return HttpServer.create(new InetSocketAddress(port), 0); // flaky: PLR401
    }
}

class PortDeepTest {
    @Test
    void starts() throws Exception {
        try (App app = new App()) {
            app.start(8181); // flaky: PLR401
            //~ app.start(0);
            assertTrue(app.isUp());
        }
    }
}
