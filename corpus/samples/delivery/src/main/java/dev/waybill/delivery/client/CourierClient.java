package dev.waybill.delivery.client;

import dev.waybill.delivery.Parcel;
import dev.waybill.orders.Money;
import java.io.IOException;

public final class CourierClient {

    private final Transport transport;

    public CourierClient(Transport transport) {
        this.transport = transport;
    }

    public Money quote(Parcel parcel) throws IOException {
        String[] reply = ask("QUOTE " + parcel.grams()).split(" ");
        return Money.of(reply[0], reply[1]);
    }

    /** The quote as it is shown in the basket. */
    public String quoteText(Parcel parcel) throws IOException {
        return "Shipping: " + quote(parcel).toDisplay();
    }

    public String status(String parcelId) throws IOException {
        return ask("STATUS " + parcelId);
    }

    private String ask(String request) throws IOException {
        String reply = transport.exchange(request);
        if (reply == null || !reply.startsWith("OK ")) {
            throw new IOException(request + ": " + reply);
        }
        return reply.substring(3);
    }
}
