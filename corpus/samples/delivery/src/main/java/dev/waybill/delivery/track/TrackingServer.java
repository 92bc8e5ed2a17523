package dev.waybill.delivery.track;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

public final class TrackingServer implements Closeable {

    private final TrackingProtocol protocol;
    private ServerSocket listener;

    public TrackingServer(TrackingProtocol protocol) {
        this.protocol = protocol;
    }

    /** Listens on the port, or on any free one if the port is 0. */
    public TrackingServer start(int port) throws IOException {
        listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        Thread acceptor = new Thread(this::acceptAll, "tracking-" + listener.getLocalPort());
        acceptor.setDaemon(true);
        acceptor.start();
        return this;
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept();
                    BufferedReader in = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                    PrintWriter out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8)) {
                protocol.serve(in, out);
            } catch (IOException e) {
                // the peer went away or the server was closed
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
