package lending;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NoSuchElementException;

/** Members who wait for a book, the first one first. */
public final class WaitingList {
    private final Deque<String> members = new ArrayDeque<>();

    public void join(String member) {
        if (members.contains(member)) {
            throw new IllegalArgumentException(member + " waits already");
        }
        members.addLast(member);
    }

    public String next() {
        if (members.isEmpty()) {
            throw new NoSuchElementException("nobody waits");
        }
        return members.removeFirst();
    }

    public int place(String member) {
        int place = 1;
        for (String waiting : members) {
            if (waiting.equals(member)) {
                return place;
            }
            place++;
        }
        return 0;
    }
}
