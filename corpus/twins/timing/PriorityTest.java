// route: body
// settled: latch
package example.priority;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class PriorityTest {
    @Test
    void highPriorityGoesFirst() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        CountDownLatch first = new CountDownLatch(1);
        Thread high = new Thread(() -> {
            order.add("high");
            first.countDown();
        });
        Thread low = new Thread(() -> order.add("low"));
        high.setPriority(Thread.MAX_PRIORITY); // flaky: PLR207
        //~
        high.start();
        //+ first.await();
        low.start();
        high.join();
        low.join();
        assertEquals(List.of("high", "low"), order);
    }
}
