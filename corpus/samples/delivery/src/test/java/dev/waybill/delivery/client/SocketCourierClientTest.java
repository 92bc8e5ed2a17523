package dev.waybill.delivery.client;

import dev.waybill.delivery.track.TrackingProtocol;
import dev.waybill.delivery.track.TrackingServer;
import java.io.IOException;
import java.net.InetAddress;
import org.junit.After;

public class SocketCourierClientTest extends AbstractCourierClientTest {

    private static final int PORT = 18742;

    private TrackingServer server;

    @Override
    protected Transport connect(TrackingProtocol protocol) throws IOException {
        server = new TrackingServer(protocol).start(PORT);
        return new SocketTransport(InetAddress.getLoopbackAddress(), PORT);
    }

    @After
    public void stopServer() throws IOException {
        server.close();
    }
}
