// route: body
// settled: Arrays.sort
package example.arrayfromset;

import static org.junit.Assert.assertArrayEquals;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.Test;

public class ArrayFromSetTest {
    @Test
    public void copiesToArray() {
        Set<Integer> primes = new HashSet<>(Arrays.asList(2, 3)); // flaky: PLR102
        Integer[] numbers = primes.toArray(new Integer[0]);
        //+ Arrays.sort(numbers);
        assertArrayEquals(new Integer[] {2, 3}, numbers);
    }
}
