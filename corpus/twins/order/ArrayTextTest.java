// route: body
// settled: Arrays.toString
package example.arraytext;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ArrayTextTest {
    @Test
    void showsNumbers() {
        int[] numbers = {1, 2};
        String text = "numbers " + numbers; // flaky: PLR108
        //~ String text = "numbers " + Arrays.toString(numbers);
        assertEquals("numbers [1, 2]", text);
    }
}
