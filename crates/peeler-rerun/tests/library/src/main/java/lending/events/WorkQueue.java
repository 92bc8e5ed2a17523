package lending.events;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Does things in the background, in order. */
public final class WorkQueue implements AutoCloseable {
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final AtomicInteger done = new AtomicInteger();

    public <T> Future<T> submit(Callable<T> work) {
        return executor.submit(() -> {
            try {
                return work.call();
            } finally {
                done.incrementAndGet();
            }
        });
    }

    public int done() {
        return done.get();
    }

    /** Waits until everything is done. */
    @Override
    public void close() throws InterruptedException {
        executor.shutdown();
        executor.awaitTermination(30, TimeUnit.SECONDS);
    }
}
