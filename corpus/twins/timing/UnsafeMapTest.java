// route: field of the test
// settled: ConcurrentHashMap
package example.unsafemap;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.Test;

public class UnsafeMapTest {
    private final Map<Integer, String> seen = new HashMap<>(); // flaky: PLR209
    //~ private final Map<Integer, String> seen = new ConcurrentHashMap<>();

    @Test
    public void storesEverything() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            threads.add(new Thread(() -> seen.put(number, "n" + number))); // flaky: PLR209
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(8, seen.size());
    }
}
