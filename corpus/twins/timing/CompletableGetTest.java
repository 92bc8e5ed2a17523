// route: field of the test
// settled: get
package example.completableget;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CompletableGetTest {
    private final ExecutorService pool = Executors.newFixedThreadPool(2);
    private final List<Integer> results = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        pool.shutdownNow();
    }

    @Test
    void addsResult() throws Exception {
        CompletableFuture<Boolean> added = CompletableFuture.supplyAsync(() -> results.add(7), pool); // flaky: PLR202
        //+ added.get();
        assertEquals(List.of(7), results);
    }
}
