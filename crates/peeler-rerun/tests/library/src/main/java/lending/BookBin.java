package lending;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** The bin behind the returns slot. */
public final class BookBin {
    private final BlockingQueue<String> books;

    public BookBin(int room) {
        books = new ArrayBlockingQueue<>(room);
    }

    public boolean drop(String title) {
        return books.offer(title);
    }

    /** The next book; none where nobody brings one in time. */
    public String take(long milliseconds) throws InterruptedException {
        return books.poll(milliseconds, TimeUnit.MILLISECONDS);
    }
}
