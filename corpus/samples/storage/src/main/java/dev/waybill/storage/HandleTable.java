package dev.waybill.storage;

import java.util.HashSet;
import java.util.Set;

/** Limits how many blobs may be open at the same time. */
public final class HandleTable {

    private static final HandleTable SYSTEM = new HandleTable(10);

    private final int limit;
    private final Set<BlobReader> open = new HashSet<>();

    public HandleTable(int limit) {
        this.limit = limit;
    }

    public static HandleTable system() {
        return SYSTEM;
    }

    synchronized void opened(BlobReader reader) {
        if (open.size() >= limit) {
            throw new IllegalStateException("Too many open blobs: " + open.size());
        }
        open.add(reader);
    }

    synchronized void closed(BlobReader reader) {
        open.remove(reader);
    }

    public synchronized int size() {
        return open.size();
    }
}
