// route: field of the code under test, through its constructor
// settled: seeded Random
package example.dice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class Dice {
    private final Random random;

    Dice(Random random) {
        this.random = random;
    }

    int roll() {
        return random.nextInt(6) + 1;
    }
}

class DiceTest {
    @Test
    void rolls() {
        Dice dice = new Dice(new Random()); // flaky: PLR302
        //~ Dice dice = new Dice(new Random(7));
        assertEquals(5, dice.roll());
    }
}
