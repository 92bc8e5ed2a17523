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
        Fetcher fetcher = new Fetcher(60_000);
        String data = assertTimeoutPreemptively(Duration.ofMillis(100), fetcher::fetch); // flaky: PLR203
        //~ String data = assertTimeoutPreemptively(Duration.ofMinutes(2), fetcher::fetch);
        assertEquals("data", data);
    }
}
