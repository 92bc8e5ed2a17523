// route: helper
// settled: allOf join
package example.allof;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AllOfTest {
    private final AtomicInteger total = new AtomicInteger();

    private List<CompletableFuture<Void>> startAll() {
        return IntStream.rangeClosed(1, 3)
                .mapToObj(number -> CompletableFuture.runAsync(() -> total.addAndGet(number))) // flaky: PLR202
                .collect(Collectors.toList());
    }

    @Test
    void sumsUp() {
        List<CompletableFuture<Void>> all = startAll(); // flaky: PLR202
        //+ CompletableFuture.allOf(all.toArray(new CompletableFuture[0])).join();
        assertEquals(6, total.get());
    }
}
