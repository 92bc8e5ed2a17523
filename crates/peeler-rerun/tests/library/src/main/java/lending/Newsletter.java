package lending;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Mails the newsletter to members without making the desk wait. */
public final class Newsletter {
    private final AtomicInteger delivered = new AtomicInteger();
    private final Mailer mailer;

    public Newsletter(Mailer mailer) {
        this.mailer = mailer;
    }

    public CompletableFuture<Void> sendTo(String member) {
        return CompletableFuture.runAsync(() -> {
            mailer.mail(member);
            delivered.incrementAndGet();
        });
    }

    public int delivered() {
        return delivered.get();
    }

    /** Sends a mail, and returns when it is gone. */
    public interface Mailer {
        void mail(String member);
    }
}
