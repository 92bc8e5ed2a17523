package lending;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Numbers for the yearly report. */
public final class Statistics {
    private Statistics() {}

    public static double mean(Collection<Integer> loans) {
        return loans.stream().mapToInt(Integer::intValue).average().orElse(0);
    }

    public static int median(List<Integer> loans) {
        List<Integer> sorted = loans.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    public static Map<Integer, Integer> booksByDecade(List<Book> books) {
        Map<Integer, Integer> count = new TreeMap<>();
        for (Book book : books) {
            count.merge(book.year() / 10 * 10, 1, Integer::sum);
        }
        return count;
    }

    public static int percent(int part, int whole) {
        return whole == 0 ? 0 : Math.round(100f * part / whole);
    }
}
