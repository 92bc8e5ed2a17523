package shop;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A till that holds a port while it is open. */
public final class Till {
    private static ServerSocket open;
    private static int port;

    private Till() {}

    public static void open() throws IOException {
        open = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        port = open.getLocalPort();
    }

    public static void close() throws IOException {
        open.close();
    }

    /** The port of the till that was opened last; 0 means any. */
    public static int port() {
        return port;
    }
}
