// route: code under test, 3 calls
// settled: seeded Random
package example.shuffleddeck;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Game {
    private final Deck deck;

    Game(Random random) {
        deck = new Deck(random);
    }

    String firstCard() {
        return deck.top();
    }
}

class Deck {
    private final List<String> cards = new ArrayList<>(List.of("ace", "king", "queen"));

    Deck(Random random) {
        Collections.shuffle(cards, random);
    }

    String top() {
        return cards.get(0);
    }
}

class ShuffledDeckTest {
    @Test
    void startsWithAce() {
        Game game = new Game(new Random()); // flaky: PLR302
        //~ Game game = new Game(new Random(3));
        assertEquals("ace", game.firstCard());
    }
}
