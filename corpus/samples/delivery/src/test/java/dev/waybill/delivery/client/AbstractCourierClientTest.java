package dev.waybill.delivery.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import dev.waybill.delivery.Parcel;
import dev.waybill.delivery.track.TrackingProtocol;
import dev.waybill.orders.Money;
import java.io.IOException;
import org.junit.Before;
import org.junit.Test;

public abstract class AbstractCourierClientTest {

    protected final Parcel parcel = new Parcel("P-1", 500, "Aarhus");
    protected CourierClient client;

    protected abstract Transport connect(TrackingProtocol protocol) throws IOException;

    @Before
    public void openClient() throws IOException {
        client = new CourierClient(connect(new TrackingProtocol().track("P-1", "at customs")));
    }

    @Test
    public void quotesByWeight() throws IOException {
        assertEquals(Money.of("3.50", "EUR"), client.quote(parcel));
    }

    @Test
    public void reportsStatusOfParcel() throws IOException {
        assertEquals("at customs", client.status("P-1"));
    }

    @Test
    public void unknownParcelIsAnError() {
        assertThrows(IOException.class, () -> client.status("P-2"));
    }
}
