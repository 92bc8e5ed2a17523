package dev.waybill.storage.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LruCacheTest {

    @Test
    void dropsTheEntryNotUsedForLongest() {
        LruCache<String, Integer> cache = new LruCache<>(2);
        cache.put("lids", 3);
        cache.put("bags", 7);
        cache.get("lids");
        cache.put("pots", 1);
        assertThat(cache).doesNotContainKey("bags").containsKeys("lids", "pots");
    }

    @Test
    void printsEntriesFromOldToNew() {
        LruCache<String, Integer> cache = new LruCache<>(3);
        cache.put("lids", 3);
        cache.put("bags", 7);
        cache.put("pots", 1);
        cache.get("lids");
        assertThat(cache.toString()).isEqualTo("{bags=7, pots=1, lids=3}");
    }
}
