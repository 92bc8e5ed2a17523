// route: helper
// settled: sort
package example.threadedappend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ThreadedAppendTest {
    private final List<String> finished = new CopyOnWriteArrayList<>();

    private void runAll(String... names) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (String name : names) {
            Thread thread = new Thread(() -> finished.add(name)); // flaky: PLR109
            thread.start(); // flaky: PLR109
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void runsBoth() throws Exception {
        runAll("left", "right");
        List<String> names = new ArrayList<>(finished);
        //+ Collections.sort(names);
        assertEquals(List.of("left", "right"), names);
    }
}
