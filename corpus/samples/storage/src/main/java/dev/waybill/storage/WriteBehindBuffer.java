package dev.waybill.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Collects records and writes them on a thread of its own. */
public final class WriteBehindBuffer implements AutoCloseable {

    private final ExecutorService writer = Executors.newSingleThreadExecutor();
    private final List<String> written = new ArrayList<>();

    public CompletableFuture<Void> write(String record) {
        return CompletableFuture.runAsync(() -> store(record), writer);
    }

    /** Returns when everything handed in so far has been written. */
    public void flush() {
        CompletableFuture.runAsync(() -> { }, writer).join();
    }

    private void store(String record) {
        synchronized (written) {
            written.add(record);
        }
    }

    public List<String> written() {
        synchronized (written) {
            return new ArrayList<>(written);
        }
    }

    @Override
    public void close() {
        writer.shutdown();
    }
}
