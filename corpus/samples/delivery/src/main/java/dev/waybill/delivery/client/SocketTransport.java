package dev.waybill.delivery.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

public final class SocketTransport implements Transport {

    private final InetAddress host;
    private final int port;

    public SocketTransport(InetAddress host, int port) {
        this.host = host;
        this.port = port;
    }

    @Override
    public String exchange(String request) throws IOException {
        try (Socket socket = new Socket(host, port);
                PrintWriter out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8);
                BufferedReader in = new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            out.println(request);
            return in.readLine();
        }
    }
}
