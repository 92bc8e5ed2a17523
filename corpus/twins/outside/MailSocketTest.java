// route: code under test, 3 calls
// settled: local fake
package example.mailsocket;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class Mailer {
    boolean reachable(String host, int port) {
        return new Probe().open(host, port);
    }
}

class Probe {
    boolean open(String host, int port) {
        return connect(host, port);
    }

    private boolean connect(String host, int port) {
        try (Socket socket = new Socket(host, port)) { // flaky: PLR402
            return socket.isConnected();
        } catch (IOException error) {
            return false;
        }
    }
}

class MailSocketTest {
    @Test
    void connects() throws Exception {
        try (ServerSocket local = new ServerSocket(0)) {
            assertTrue(new Mailer().reachable("smtp.gmail.com", 587)); // flaky: PLR402
            //~ assertTrue(new Mailer().reachable("localhost", local.getLocalPort()));
        }
    }
}
