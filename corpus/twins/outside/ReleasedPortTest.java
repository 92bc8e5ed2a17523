// route: setup
// settled: port 0
package example.releasedport;

import static org.junit.Assert.assertFalse;

import java.net.ServerSocket;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class ReleasedPortTest {
    private ServerSocket server;

    @Before
    public void start() throws Exception {
        ServerSocket probe = new ServerSocket(0); // flaky: PLR404
        int port = probe.getLocalPort(); // flaky: PLR404
        probe.close();
        server = new ServerSocket(port);
        //~ server = new ServerSocket(0);
    }

    @After
    public void stop() throws Exception {
        server.close();
    }

    @Test
    public void listens() {
        assertFalse(server.isClosed());
    }
}
