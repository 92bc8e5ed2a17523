// route: setup
// settled: result of the wait asserted
package example.awaitinsetup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AwaitInSetupTest {
    private final CountDownLatch loaded = new CountDownLatch(1);
    private volatile String data;

    @BeforeEach
    void load() throws Exception {
        new Thread(() -> {
            data = "ready";
            loaded.countDown();
        }).start();
        loaded.await(2, TimeUnit.SECONDS); // flaky: PLR206
        //~ assertTrue(loaded.await(2, TimeUnit.MINUTES));
    }

    @Test
    void hasData() {
        assertEquals("ready", data);
    }
}
