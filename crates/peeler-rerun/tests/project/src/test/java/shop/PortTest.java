package shop;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PortTest {
    @Test
    void listens() throws Exception {
        new ServerSocket(Till.port(), 1, InetAddress.getLoopbackAddress()).close();
    }
}
