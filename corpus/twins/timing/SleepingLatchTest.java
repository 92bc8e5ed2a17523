// route: body
// settled: latch
package example.sleepinglatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class Downloader {
    private final ExecutorService pool = Executors.newCachedThreadPool();

    void download(String name, Consumer<String> done) {
        pool.execute(() -> done.accept(name + " done"));
    }

    void close() {
        pool.shutdown();
    }
}

class SleepingLatchTest {
    @Test
    void callsBack() throws Exception {
        Downloader downloader = new Downloader();
        List<String> results = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        downloader.download("a.zip", result -> {
            results.add(result);
            done.countDown();
        });
        TimeUnit.MILLISECONDS.sleep(200); // flaky: PLR201
        //~ assertTrue(done.await(30, TimeUnit.SECONDS));
        assertEquals(List.of("a.zip done"), results);
        downloader.close();
    }
}
