// route: code under test, 1 call
// settled: sort
package example.getzero;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;

class Leaderboard {
    private final Map<String, Integer> points = new HashMap<>(); // flaky: PLR103

    void add(String player, int score) {
        points.merge(player, score, Integer::sum);
    }

    List<String> players() {
        List<String> players = new ArrayList<>(points.keySet());
        //+ Collections.sort(players);
        return players;
    }
}

public class GetZeroTest {
    @Test
    public void knowsPlayers() {
        Leaderboard board = new Leaderboard();
        board.add("ann", 3);
        board.add("bob", 5);
        assertEquals("ann", board.players().get(0));
    }
}
