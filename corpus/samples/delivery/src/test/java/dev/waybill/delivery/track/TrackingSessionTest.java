package dev.waybill.delivery.track;

import static org.junit.Assert.assertEquals;

import dev.waybill.delivery.client.SocketTransport;
import dev.waybill.delivery.support.TrackingServerRule;
import java.io.IOException;
import java.net.InetAddress;
import org.junit.Rule;
import org.junit.Test;

public class TrackingSessionTest {

    @Rule
    public final TrackingServerRule tracking = new TrackingServerRule(18743);

    @Test
    public void statusIsSentOverTheWire() throws IOException {
        tracking.protocol().track("P-5", "in Gdańsk");
        assertEquals("OK in Gdańsk", send("STATUS P-5"));
    }

    @Test
    public void protocolAnswersWithoutTheWireToo() {
        assertEquals("OK PONG", new TrackingProtocol().answer("PING"));
    }

    private String send(String request) throws IOException {
        return new SocketTransport(InetAddress.getLoopbackAddress(), tracking.port()).exchange(request);
    }
}
