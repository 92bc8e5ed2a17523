// route: code under test, 1 call
// settled: AtomicInteger
package example.unsafecounter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class Hits {
    private int count; // flaky: PLR209
    //~ private final AtomicInteger count = new AtomicInteger();

    void hit() {
        count++; // flaky: PLR209
        //~ count.incrementAndGet();
    }

    int count() {
        return count;
        //~ return count.get();
    }
}

class UnsafeCounterTest {
    @Test
    void countsAllHits() throws Exception {
        Hits hits = new Hits();
        ExecutorService pool = Executors.newFixedThreadPool(4);
        for (int i = 0; i < 1000; i++) {
            pool.execute(hits::hit); // flaky: PLR209
        }
        pool.shutdown();
        assertTrue(pool.awaitTermination(1, TimeUnit.MINUTES));
        assertEquals(1000, hits.count());
    }
}
