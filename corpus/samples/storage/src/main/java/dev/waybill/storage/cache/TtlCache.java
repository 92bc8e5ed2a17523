package dev.waybill.storage.cache;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A cache whose entries go away some time after they were put in. */
public final class TtlCache<K, V> {

    private static final class Entry<V> {
        private final V value;
        private final long expires;

        private Entry(V value, long expires) {
            this.value = value;
            this.expires = expires;
        }
    }

    private final Map<K, Entry<V>> entries = new HashMap<>();
    private final long ttlMillis;
    private final LongSupplier millis;

    public TtlCache(long ttlMillis) {
        this(ttlMillis, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    public TtlCache(long ttlMillis, LongSupplier millis) {
        this.ttlMillis = ttlMillis;
        this.millis = millis;
    }

    public void put(K key, V value) {
        entries.put(key, new Entry<>(value, millis.getAsLong() + ttlMillis));
    }

    public V get(K key) {
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        if (entry.expires <= millis.getAsLong()) {
            entries.remove(key);
            return null;
        }
        return entry.value;
    }
}
