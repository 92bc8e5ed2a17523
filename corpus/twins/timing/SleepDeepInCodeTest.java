// route: code under test, 3 calls
// settled: invokeAll
package example.sleepdeepincode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class Batch {
    private final ExecutorService pool = Executors.newFixedThreadPool(2);
    private final List<Integer> squares = new CopyOnWriteArrayList<>();

    List<Integer> run(List<Integer> numbers) throws InterruptedException {
        List<Callable<Boolean>> jobs = new ArrayList<>();
        for (int number : numbers) {
            jobs.add(() -> squares.add(number * number));
        }
        submit(jobs);
        pool.shutdown();
        return squares;
    }

    private void submit(List<Callable<Boolean>> jobs) throws InterruptedException {
        jobs.forEach(pool::submit);
        //~ pool.invokeAll(jobs);
        pause();
        //~
    }

    private void pause() throws InterruptedException {
        Thread.sleep(20); // flaky: PLR201
        //~
    }
}

class SleepDeepInCodeTest {
    @Test
    void squaresNumbers() throws Exception {
        assertEquals(2, new Batch().run(List.of(2, 3)).size());
    }
}
