package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class NewsletterTest {
    private final Newsletter newsletter = new Newsletter(member -> pause(ThreadLocalRandom.current().nextInt(30)));

    @Test
    void everyMailIsCounted() throws InterruptedException {
        newsletter.sendTo("Ada");
        Thread.sleep(15);
        assertEquals(1, newsletter.delivered());
    }

    @Test
    void mailIsCountedWhenItIsGone() {
        newsletter.sendTo("Ada").join();
        newsletter.sendTo("Ben").join();
        assertEquals(2, newsletter.delivered());
    }

    private static void pause(int milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
