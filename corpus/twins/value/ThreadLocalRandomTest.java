// route: helper
// settled: both sides from the same value
package example.threadlocalrandom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class ThreadLocalRandomTest {
    private int amount() {
        return ThreadLocalRandom.current().nextInt(1, 100); // flaky: PLR302
    }

    @Test
    void doublesAmount() {
        int amount = amount();
        assertEquals(2 * amount(), amount + amount);
        //~ assertEquals(2 * amount, amount + amount);
    }
}
