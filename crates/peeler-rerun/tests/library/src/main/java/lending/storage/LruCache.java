package lending.storage;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Keeps what was asked for last. */
public final class LruCache<K, V> {
    private final int most;
    private int misses;
    private final LinkedHashMap<K, V> kept = new LinkedHashMap<>(16, 0.75f, true);

    public LruCache(int most) {
        this.most = most;
    }

    public V get(K key, Function<K, V> load) {
        V known = kept.get(key);
        if (known != null) {
            return known;
        }
        misses++;
        V loaded = load.apply(key);
        kept.put(key, loaded);
        if (kept.size() > most) {
            Map.Entry<K, V> eldest = kept.entrySet().iterator().next();
            kept.remove(eldest.getKey());
        }
        return loaded;
    }

    public int misses() {
        return misses;
    }

    public int size() {
        return kept.size();
    }
}
