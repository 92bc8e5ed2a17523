// route: setup
// settled: take without a limit
package example.polltimeout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PollTimeoutTest {
    private final BlockingQueue<String> queue = new LinkedBlockingQueue<>();

    @BeforeEach
    void produce() {
        new Thread(() -> queue.add("item")).start();
    }

    @Test
    void receivesItem() throws Exception {
        String item = queue.poll(5, TimeUnit.MILLISECONDS); // flaky: PLR203
        //~ String item = queue.take();
        assertEquals("item", item);
    }
}
