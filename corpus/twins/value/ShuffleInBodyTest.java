// route: body
// settled: sort
package example.shuffleinbody;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShuffleInBodyTest {
    @Test
    void keepsOrder() {
        List<Integer> numbers = new ArrayList<>(List.of(1, 2, 3, 4));
        Collections.shuffle(numbers); // flaky: PLR302
        //+ Collections.sort(numbers);
        assertEquals(List.of(1, 2, 3, 4), numbers);
    }
}
