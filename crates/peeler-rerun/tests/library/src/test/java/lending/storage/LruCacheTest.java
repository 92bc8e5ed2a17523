package lending.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class LruCacheTest {
    private final LruCache<String, Integer> cache = new LruCache<>(2);

    @Test
    void loadsWhatItDoesNotKnow() {
        assertEquals(4, cache.get("Emma", String::length));
        assertEquals(1, cache.misses());
    }

    @Test
    void knowsWhatItLoaded() {
        cache.get("Emma", String::length);
        assertEquals(4, cache.get("Emma", it -> -1));
        assertEquals(1, cache.misses());
    }

    @Test
    void keepsNoMoreThanItMay() {
        for (String title : new String[] {"Emma", "Faust", "Ulysses"}) {
            cache.get(title, String::length);
        }
        assertEquals(2, cache.size());
    }

    @Test
    void forgetsWhatWasNotAskedForLongest() {
        cache.get("Emma", String::length);
        cache.get("Faust", String::length);
        cache.get("Emma", String::length);
        cache.get("Ulysses", String::length);
        assertEquals(4, cache.get("Emma", it -> -1));
        assertEquals(-1, cache.get("Faust", it -> -1));
    }

    @Test
    void keepsNothingOfAFailure() {
        assertThrows(IllegalStateException.class, () -> cache.get("Emma", it -> {
            throw new IllegalStateException("no catalogue");
        }));
        assertEquals(0, cache.size());
    }
}
