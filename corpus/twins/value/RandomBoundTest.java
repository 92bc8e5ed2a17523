// route: body
// settled: holds for every value
package example.randombound;

import static org.junit.Assert.assertTrue;

import java.util.Random;
import org.junit.Test;

public class RandomBoundTest {
    @Test
    public void isBelowNine() {
        int number = new Random().nextInt(10); // flaky: PLR302
        assertTrue(number < 9);
        //~ assertTrue(number < 10);
    }
}
