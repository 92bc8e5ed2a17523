// route: code under test, 1 call
// settled: TreeMap
package example.textthroughformat;

import static org.junit.Assert.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Before;
import org.junit.Test;

class Badge {
    private final Map<String, Integer> scores = new HashMap<>(); // flaky: PLR101
    //~ private final Map<String, Integer> scores = new TreeMap<>();

    void score(String game, int points) {
        scores.merge(game, points, Integer::sum);
    }

    String label() {
        return String.format("scores=%s", scores);
    }
}

public class TextThroughFormatTest {
    private Badge badge;

    @Before
    public void setUp() {
        badge = new Badge();
        badge.score("chess", 10);
        badge.score("go", 5);
    }

    @Test
    public void labelsScores() {
        assertEquals("scores={chess=10, go=5}", badge.label());
    }
}
