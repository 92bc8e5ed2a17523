// route: setup
// settled: latch
package example.sleepinsetup;

import static org.junit.Assert.assertTrue;

import java.util.concurrent.CountDownLatch;
import org.junit.Before;
import org.junit.Test;

class EchoServer {
    private final CountDownLatch ready = new CountDownLatch(1);
    private volatile boolean running;

    void start() {
        Thread thread = new Thread(() -> {
            running = true;
            ready.countDown();
        });
        thread.start();
    }

    void awaitReady() throws InterruptedException {
        ready.await();
    }

    boolean isRunning() {
        return running;
    }
}

public class SleepInSetupTest {
    private EchoServer server;

    @Before
    public void startServer() throws Exception {
        server = new EchoServer();
        server.start();
        Thread.sleep(1000); // flaky: PLR201
        //~ server.awaitReady();
    }

    @Test
    public void isRunning() {
        assertTrue(server.isRunning());
    }
}
