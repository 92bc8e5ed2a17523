// route: body
// settled: results taken in order of submission
package example.completionorder;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.Test;

public class CompletionOrderTest {
    @Test
    public void downloadsAll() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Queue<String> results = new ConcurrentLinkedQueue<>();
        List<Future<String>> futures = new ArrayList<>();
        for (String page : Arrays.asList("one", "two")) {
            futures.add(pool.submit(() -> { // flaky: PLR109
                results.add(page);
                return page;
            }));
        }
        List<String> joined = new ArrayList<>();
        for (Future<String> future : futures) {
            joined.add(future.get());
        }
        pool.shutdown();
        assertEquals(Arrays.asList("one", "two"), new ArrayList<>(results));
        //~ assertEquals(Arrays.asList("one", "two"), joined);
    }
}
