package lending;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;

/** How long a book is lent. */
public final class LoanPeriod {
    private static final int DAYS = 21;

    private final LocalDate begin;
    private final int extensions;

    private LoanPeriod(LocalDate begin, int extensions) {
        this.begin = begin;
        this.extensions = extensions;
    }

    public static LoanPeriod from(LocalDate begin) {
        return new LoanPeriod(begin, 0);
    }

    public LoanPeriod extended() {
        if (extensions == 2) {
            throw new IllegalStateException("a loan is extended twice at most");
        }
        return new LoanPeriod(begin, extensions + 1);
    }

    /** The day on which the book is due; never a Sunday, when the library is closed. */
    public LocalDate due() {
        LocalDate due = begin.plusDays((long) DAYS * (1 + extensions));
        return due.getDayOfWeek() == DayOfWeek.SUNDAY ? due.plusDays(1) : due;
    }

    public int daysLate(LocalDate returned) {
        return (int) Math.max(0, ChronoUnit.DAYS.between(due(), returned));
    }
}
