package dev.waybill.alerts.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.waybill.alerts.Notice;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WebHookTest {

    private static final URI TARGET = URI.create("http://localhost:18744/hook");

    @Nested
    class OverHttp {

        @Test
        void noticeIsAccepted() throws Exception {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 18744), 0);
            server.createContext("/hook", exchange -> {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            });
            server.start();
            try {
                assertTrue(new WebHook(TARGET).send(Notice.info("Depot opened")));
            } finally {
                server.stop(0);
            }
        }

        @Test
        void nobodyListens() {
            WebHook hook = new WebHook(URI.create("http://localhost:18745/hook"));
            assertThrows(ConnectException.class, () -> hook.send(Notice.info("Depot opened")));
        }
    }

    @Nested
    class OverAPoster {

        private final List<String> posted = new ArrayList<>();

        @Test
        void noticeIsAccepted() throws Exception {
            WebHook hook = new WebHook(TARGET, (target, body) -> {
                posted.add(body);
                return 204;
            });
            assertTrue(hook.send(Notice.info("Depot opened")));
            assertEquals(List.of("{\"title\":\"Depot opened\",\"body\":\"\",\"severity\":\"INFO\"}"), posted);
        }

        @Test
        void noticeIsRefused() throws Exception {
            assertFalse(new WebHook(TARGET, (target, body) -> 503).send(Notice.info("Depot opened")));
        }

        @Test
        void nobodyListens() {
            WebHook hook = new WebHook(TARGET, (target, body) -> {
                throw new IOException("connection refused");
            });
            assertThrows(IOException.class, () -> hook.send(Notice.info("Depot opened")));
        }
    }
}
