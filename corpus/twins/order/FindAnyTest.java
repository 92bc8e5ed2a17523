// route: lambda
// settled: noneMatch
package example.findany;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FindAnyTest {
    @Test
    void findsAnEvenNumber() {
        Set<Integer> numbers = new HashSet<>(List.of(2, 40004, 70001)); // flaky: PLR103
        int even = numbers.stream().filter(number -> number % 2 == 0).findAny().get();
        assertEquals(2, even);
        //~ assertTrue(numbers.stream().anyMatch(number -> number == 2));
    }
}
