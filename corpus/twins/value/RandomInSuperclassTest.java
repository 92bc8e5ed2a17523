// route: superclass
// settled: seeded Random
package example.randominsuperclass;

import static org.junit.Assert.assertTrue;

import java.util.Random;
import org.junit.Test;

abstract class SamplingTestCase {
    protected final Random random = new Random(); // flaky: PLR302
    //~ protected final Random random = new Random(99L);
}

public class RandomInSuperclassTest extends SamplingTestCase {
    @Test
    public void meanIsNearZero() {
        double sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += random.nextGaussian();
        }
        assertTrue(Math.abs(sum) < 1.0);
    }
}
