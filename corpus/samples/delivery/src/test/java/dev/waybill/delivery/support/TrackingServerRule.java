package dev.waybill.delivery.support;

import dev.waybill.delivery.track.TrackingProtocol;
import dev.waybill.delivery.track.TrackingServer;
import java.io.IOException;
import org.junit.rules.ExternalResource;

public final class TrackingServerRule extends ExternalResource {

    private final int port;
    private final TrackingProtocol protocol = new TrackingProtocol();
    private TrackingServer server;

    public TrackingServerRule(int port) {
        this.port = port;
    }

    public TrackingProtocol protocol() {
        return protocol;
    }

    public int port() {
        return server.port();
    }

    @Override
    protected void before() throws IOException {
        server = new TrackingServer(protocol).start(port);
    }

    @Override
    protected void after() {
        try {
            server.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
