package lending.search;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Puts hits in order: by score, equal ones by title. */
public final class Ranking {
    private final Map<String, Integer> scores = new LinkedHashMap<>();

    public void hit(String title, int score) {
        scores.merge(title, score, Integer::sum);
    }

    public List<String> best(int most) {
        Comparator<Map.Entry<String, Integer>> byScore = Map.Entry.comparingByValue(Comparator.reverseOrder());
        return scores.entrySet().stream()
                .sorted(byScore.thenComparing(Map.Entry.comparingByKey()))
                .limit(most)
                .map(Map.Entry::getKey)
                .collect(Collectors.toList());
    }

    public int scoreOf(String title) {
        return scores.getOrDefault(title, 0);
    }
}
