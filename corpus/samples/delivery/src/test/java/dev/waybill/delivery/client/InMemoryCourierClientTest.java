package dev.waybill.delivery.client;

import static org.junit.Assert.assertEquals;

import dev.waybill.delivery.support.InMemoryTransport;
import dev.waybill.delivery.track.TrackingProtocol;
import java.io.IOException;
import java.util.Collections;
import org.junit.Test;

public class InMemoryCourierClientTest extends AbstractCourierClientTest {

    private InMemoryTransport transport;

    @Override
    protected Transport connect(TrackingProtocol protocol) {
        transport = new InMemoryTransport(protocol);
        return transport;
    }

    @Test
    public void asksOnce() throws IOException {
        client.quote(parcel);
        assertEquals(Collections.singletonList("QUOTE 500"), transport.requests());
    }

    @Test
    public void quoteIsShownInTheBasket() throws IOException {
        assertEquals("Shipping: 3.50 EUR", client.quoteText(parcel));
    }
}
