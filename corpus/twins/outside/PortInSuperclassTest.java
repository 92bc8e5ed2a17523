// route: superclass
// settled: port 0
package example.portinsuperclass;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

abstract class ServerTestCase {
    protected ServerSocket server;

    @Before
    public void open() throws IOException {
        server = new ServerSocket();
        server.bind(new InetSocketAddress("localhost", 7071)); // flaky: PLR401
        //~ server.bind(new InetSocketAddress("localhost", 0));
    }

    @After
    public void close() throws IOException {
        server.close();
    }
}

public class PortInSuperclassTest extends ServerTestCase {
    @Test
    public void isBound() {
        assertTrue(server.isBound());
    }
}
