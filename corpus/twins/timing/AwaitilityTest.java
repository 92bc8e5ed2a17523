// route: field of the code under test
// settled: Awaitility
package example.awaitility;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class Counter {
    private final Executor executor;
    private final AtomicInteger value = new AtomicInteger();

    Counter(Executor executor) {
        this.executor = executor;
    }

    void increment() {
        executor.execute(value::incrementAndGet); // flaky: PLR202
    }

    int value() {
        return value.get();
    }
}

class AwaitilityTest {
    @Test
    void increments() {
        Counter counter = new Counter(ForkJoinPool.commonPool());
        counter.increment(); // flaky: PLR202
        //+ await().until(() -> counter.value() == 1);
        assertEquals(1, counter.value());
    }
}
