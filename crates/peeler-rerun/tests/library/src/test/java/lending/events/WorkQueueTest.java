package lending.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
    @Test
    void resultCanBeWaitedFor() throws Exception {
        try (WorkQueue queue = new WorkQueue()) {
            assertEquals("lent", queue.submit(() -> "lent").get());
        }
    }

    @Test
    void workIsDoneInOrder() throws Exception {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        try (WorkQueue queue = new WorkQueue()) {
            for (int i = 0; i < 5; i++) {
                int number = i;
                queue.submit(() -> order.add(number));
            }
        }
        assertEquals(List.of(0, 1, 2, 3, 4), order);
    }

    @Test
    void failureReachesTheCaller() throws Exception {
        try (WorkQueue queue = new WorkQueue()) {
            Future<String> failed = queue.submit(() -> {
                throw new IllegalStateException("no paper");
            });
            ExecutionException error = assertThrows(ExecutionException.class, failed::get);
            assertEquals("no paper", error.getCause().getMessage());
        }
    }

    @Test
    void nothingIsDoneBeforeItsTurn() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        WorkQueue queue = new WorkQueue();
        queue.submit(() -> gate.await(30, TimeUnit.SECONDS));
        Future<String> second = queue.submit(() -> "second");
        assertEquals(0, queue.done());
        gate.countDown();
        assertEquals("second", second.get());
        queue.close();
        assertEquals(2, queue.done());
    }

    @Test
    void closedQueueTakesNothing() throws Exception {
        WorkQueue queue = new WorkQueue();
        queue.close();
        assertTrue(assertThrows(RuntimeException.class, () -> queue.submit(() -> "late")).getMessage() != null);
    }
}
