package dev.waybill.delivery.track;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import dev.waybill.delivery.client.SocketTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.Test;

public class TrackingServerTest {

    private final TrackingProtocol protocol = new TrackingProtocol();

    @Test
    public void listensOnTheConfiguredPort() throws IOException {
        try (TrackingServer server = new TrackingServer(protocol).start(8089)) {
            assertEquals(8089, server.port());
        }
    }

    @Test
    public void answersOnAnyFreePort() throws IOException {
        try (TrackingServer server = new TrackingServer(protocol).start(0)) {
            SocketTransport transport = new SocketTransport(InetAddress.getLoopbackAddress(), server.port());
            assertEquals("OK PONG", transport.exchange("PING"));
        }
    }

    @Test
    public void reusesThePortOfAClosedListener() throws IOException {
        int port;
        try (ServerSocket probe = new ServerSocket(0)) {
            port = probe.getLocalPort();
        }
        try (TrackingServer server = new TrackingServer(protocol).start(port)) {
            assertTrue(server.port() == port);
        }
    }
}
