// route: body
// settled: result asserted instead
package example.elapsedmillis;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.stream.IntStream;
import org.junit.Test;

public class ElapsedMillisTest {
    @Test
    public void isFast() {
        long start = System.currentTimeMillis(); // flaky: PLR204
        long sum = IntStream.range(0, 1000).asLongStream().sum();
        long elapsed = System.currentTimeMillis() - start; // flaky: PLR204
        assertTrue(elapsed < 5);
        //~ assertEquals(499500, sum);
    }
}
