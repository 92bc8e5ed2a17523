// route: code under test, 1 call
// settled: generous limit
package example.shortortimeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class Fetcher {
    private final long limit;

    Fetcher(long limit) {
        this.limit = limit;
    }

    String fetch() throws Exception {
        return CompletableFuture.supplyAsync(() -> "data").get(limit, TimeUnit.MILLISECONDS);
    }
}

class ShortOrTimeoutTest {
    @Test
    void fetches() {
        assertTimeoutPreemptively(Duration.ofMillis(100), () -> assertEquals("data", new Fetcher(60_000).fetch())); // flaky: PLR203
        //~ assertTimeoutPreemptively(Duration.ofMinutes(2), () -> assertEquals("data", new Fetcher(60_000).fetch()));
    }
}
