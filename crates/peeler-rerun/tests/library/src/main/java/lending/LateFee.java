package lending;

/** What a member owes for a book that comes back late. */
public final class LateFee {
    private static final int CENTS_A_DAY = 25;
    private static final int MOST = 1000;
    private static final int DAYS_OF_GRACE = 2;

    private LateFee() {}

    /** The fee in cents. */
    public static int forDays(int daysLate) {
        if (daysLate < 0) {
            throw new IllegalArgumentException("a book is not " + daysLate + " days late");
        }
        int charged = Math.max(0, daysLate - DAYS_OF_GRACE);
        return Math.min(MOST, charged * CENTS_A_DAY);
    }

    /** Cents as a member reads them. */
    public static String format(int cents) {
        return cents / 100 + "." + (cents % 100 < 10 ? "0" : "") + cents % 100;
    }
}
