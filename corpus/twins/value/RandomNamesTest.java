// route: setup
// settled: both sides from the same value
package example.randomnames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RandomNamesTest {
    private int size;
    private List<Integer> numbers;

    @BeforeEach
    void fill() {
        size = new Random().nextInt(50) + 1; // flaky: PLR302
        numbers = new ArrayList<>(Collections.nCopies(size, 1));
    }

    @Test
    void hasManyNumbers() {
        assertTrue(numbers.size() > 5);
        //~ assertEquals(size, numbers.size());
    }
}
