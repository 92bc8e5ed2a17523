package lending.events;

import java.util.concurrent.Callable;
import java.util.function.LongConsumer;

/** Tries again, after longer and longer pauses. */
public final class Retry {
    private final int attempts;
    private final LongConsumer pause;

    public Retry(int attempts, LongConsumer pause) {
        this.attempts = attempts;
        this.pause = pause;
    }

    public <T> T call(Callable<T> action) throws Exception {
        long milliseconds = 100;
        for (int attempt = 1; ; attempt++) {
            try {
                return action.call();
            } catch (Exception e) {
                if (attempt == attempts) {
                    throw e;
                }
                pause.accept(milliseconds);
                milliseconds *= 2;
            }
        }
    }
}
