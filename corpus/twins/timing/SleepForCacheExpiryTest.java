// route: code under test, 1 call
// settled: clock given
package example.sleepforcacheexpiry;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ExpiringCache {
    private final Map<String, Long> stored = new ConcurrentHashMap<>();
    private final Supplier<Long> clock;

    ExpiringCache(Supplier<Long> clock) {
        this.clock = clock;
    }

    void put(String key) {
        stored.put(key, clock.get());
    }

    boolean has(String key) {
        return clock.get() - stored.get(key) < 50;
    }
}

class SleepForCacheExpiryTest {
    @Test
    void keepsFreshEntries() throws Exception {
        AtomicLong now = new AtomicLong();
        ExpiringCache cache = new ExpiringCache(System::currentTimeMillis);
        //~ ExpiringCache cache = new ExpiringCache(now::get);
        cache.put("k");
        Thread.sleep(30); // flaky: PLR201
        //~ now.addAndGet(30);
        assertTrue(cache.has("k"));
    }
}
