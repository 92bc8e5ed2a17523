package dev.waybill.storage.cache;

import java.util.concurrent.atomic.LongAdder;

public final class HitCounter {

    private final LongAdder hits = new LongAdder();
    private volatile int misses;

    public void hit() {
        hits.increment();
    }

    public void miss() {
        misses++;
    }

    public long hits() {
        return hits.sum();
    }

    public int misses() {
        return misses;
    }
}
