package lending;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Reminds members of books that are due; mails are collected and go out together. */
public final class ReminderService implements AutoCloseable {
    private static final int MILLISECONDS = 40;

    private final LinkedBlockingQueue<String> waiting = new LinkedBlockingQueue<>();
    private final List<String> sent = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

    public ReminderService() {
        // Services of several branches begin at the same full moments, not when they were started.
        long delay = MILLISECONDS - System.currentTimeMillis() % MILLISECONDS;
        executor.scheduleAtFixedRate(this::send, delay, MILLISECONDS, TimeUnit.MILLISECONDS);
    }

    public void remind(String member, String title) {
        waiting.add(member + ": " + title);
    }

    private void send() {
        waiting.drainTo(sent);
    }

    public List<String> sent() {
        return sent;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
