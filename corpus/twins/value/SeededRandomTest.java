// route: body
// settled: seeded Random
package example.seededrandom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SeededRandomTest {
    @Test
    void drawsFirst() {
        Random random = new Random(); // flaky: PLR302
        //~ Random random = new Random(42);
        int first = random.nextInt(100);
        assertEquals(30, first);
    }
}
