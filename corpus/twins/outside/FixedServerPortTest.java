// route: body
// settled: port 0
package example.fixedserverport;

import static org.junit.Assert.assertTrue;

import java.net.ServerSocket;
import java.net.Socket;
import org.junit.Test;

public class FixedServerPortTest {
    @Test
    public void accepts() throws Exception {
        try (ServerSocket server = new ServerSocket(8080); // flaky: PLR401
        //~ try (ServerSocket server = new ServerSocket(0);
                Socket client = new Socket("localhost", server.getLocalPort())) {
            assertTrue(client.isConnected());
        }
    }
}
