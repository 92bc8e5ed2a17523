// route: helper
// settled: Awaitility
package example.sleepinhelper;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class Inbox {
    private final List<String> messages = new CopyOnWriteArrayList<>();

    void deliver(String message) {
        CompletableFuture.runAsync(() -> messages.add(message));
    }

    int size() {
        return messages.size();
    }
}

class SleepInHelperTest {
    private final Inbox inbox = new Inbox();

    private void waitForDelivery() throws InterruptedException {
        Thread.sleep(500); // flaky: PLR201
        //~ await().atMost(Duration.ofSeconds(30)).until(() -> inbox.size() == 1);
    }

    @Test
    void deliversMessages() throws Exception {
        inbox.deliver("hello");
        waitForDelivery();
        assertEquals(1, inbox.size());
    }
}
