package dev.waybill.storage.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TtlCacheTest {

    private long now;

    @Test
    void entryIsThereUntilItExpires() throws InterruptedException {
        TtlCache<String, Integer> cache = new TtlCache<>(100);
        cache.put("lids", 3);
        Thread.sleep(60);
        assertThat(cache.get("lids")).isEqualTo(3);
    }

    @Test
    void entryIsGoneWhenItHasExpired() throws InterruptedException {
        TtlCache<String, Integer> cache = new TtlCache<>(10);
        cache.put("lids", 3);
        Thread.sleep(50);
        assertThat(cache.get("lids")).isNull();
    }

    @Test
    void entryLivesAsLongAsItsTime() {
        TtlCache<String, Integer> cache = new TtlCache<>(100, () -> now);
        cache.put("lids", 3);
        now = 99;
        assertThat(cache.get("lids")).isEqualTo(3);
        now = 100;
        assertThat(cache.get("lids")).isNull();
    }

    @Test
    void longLivedEntryIsThere() {
        TtlCache<String, Integer> cache = new TtlCache<>(86_400_000L);
        cache.put("lids", 3);
        assertThat(cache.get("lids")).isEqualTo(3);
    }
}
