// route: code under test, 3 calls
// settled: calls counted instead
package example.cachefaster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlowSource {
    int calls;

    String read(String key) {
        calls++;
        return key + "!";
    }
}

class Cached {
    private final Map<String, String> known = new HashMap<>();
    private final SlowSource source;

    Cached(SlowSource source) {
        this.source = source;
    }

    String read(String key) {
        return known.computeIfAbsent(key, source::read);
    }
}

class CacheFasterTest {
    private static long time(Cached cached) {
        long before = System.nanoTime(); // flaky: PLR204
        cached.read("k");
        return System.nanoTime() - before; // flaky: PLR204
    }

    @Test
    void secondReadIsFaster() {
        SlowSource source = new SlowSource();
        Cached cached = new Cached(source);
        long first = time(cached);
        long second = time(cached);
        assertTrue(second < first);
        //~ assertEquals(1, source.calls);
    }
}
