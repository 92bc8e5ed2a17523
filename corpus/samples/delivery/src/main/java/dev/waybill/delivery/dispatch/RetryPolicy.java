package dev.waybill.delivery.dispatch;

import java.util.concurrent.Callable;

/** Calls again after a failure, waiting twice as long before every further attempt. */
public final class RetryPolicy {

    /** How the policy waits between two attempts. */
    @FunctionalInterface
    public interface Pause {
        void millis(long millis) throws InterruptedException;
    }

    private final int attempts;
    private final long firstPause;
    private final Pause pause;

    public RetryPolicy(int attempts, long firstPause) {
        this(attempts, firstPause, Thread::sleep);
    }

    public RetryPolicy(int attempts, long firstPause, Pause pause) {
        this.attempts = attempts;
        this.firstPause = firstPause;
        this.pause = pause;
    }

    public <T> T call(Callable<T> action) throws Exception {
        long wait = firstPause;
        for (int attempt = 1; ; attempt++) {
            try {
                return action.call();
            } catch (Exception e) {
                if (attempt == attempts) {
                    throw e;
                }
            }
            pause.millis(wait);
            wait *= 2;
        }
    }
}
