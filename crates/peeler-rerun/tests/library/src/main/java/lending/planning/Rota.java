package lending.planning;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.List;

/** Who sits at the desk on which day. */
public final class Rota {
    private final List<String> people;
    private final LocalDate begin;

    public Rota(List<String> people, LocalDate begin) {
        if (people.isEmpty()) {
            throw new IllegalArgumentException("a rota needs somebody");
        }
        this.people = people;
        this.begin = begin;
    }

    public String on(LocalDate day) {
        if (isClosed(day)) {
            return "nobody";
        }
        int turns = 0;
        for (LocalDate it = begin; it.isBefore(day); it = it.plusDays(1)) {
            if (!isClosed(it)) {
                turns++;
            }
        }
        return people.get(turns % people.size());
    }

    private static boolean isClosed(LocalDate day) {
        return day.getDayOfWeek() == DayOfWeek.SUNDAY;
    }
}
