// route: code under test, 1 call
// settled: removed by hand
package example.weakcache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.WeakHashMap;
import org.junit.jupiter.api.Test;

class WeakCache {
    private final Map<Object, String> entries = new WeakHashMap<>();

    void put(Object key, String value) {
        entries.put(key, value);
    }

    void remove(Object key) {
        entries.remove(key);
    }

    int size() {
        return entries.size();
    }
}

class WeakCacheTest {
    @Test
    void forgetsEntries() {
        WeakCache cache = new WeakCache();
        Object key = new Object();
        cache.put(key, "value");
        //+ cache.remove(key);
        key = null;
        Runtime.getRuntime().gc(); // flaky: PLR208
        //~
        assertEquals(0, cache.size());
    }
}
