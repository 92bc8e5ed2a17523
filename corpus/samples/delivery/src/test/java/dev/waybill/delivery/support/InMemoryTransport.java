package dev.waybill.delivery.support;

import dev.waybill.delivery.client.Transport;
import dev.waybill.delivery.track.TrackingProtocol;
import java.util.ArrayList;
import java.util.List;

/** Talks to the protocol directly, no sockets involved. */
public final class InMemoryTransport implements Transport {

    private final TrackingProtocol protocol;
    private final List<String> requests = new ArrayList<>();

    public InMemoryTransport(TrackingProtocol protocol) {
        this.protocol = protocol;
    }

    @Override
    public String exchange(String request) {
        requests.add(request);
        return protocol.answer(request);
    }

    public List<String> requests() {
        return requests;
    }
}
