package lending;

/** A visit to the reading room, measured in hundredths of a second by the gate. */
public final class Visit {
    private final long entered = now();

    private static long now() {
        return System.currentTimeMillis() / 10;
    }

    public long hundredths() {
        return now() - entered;
    }
}
