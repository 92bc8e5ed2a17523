// route: body
// settled: sorted stream
package example.limitedstream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LimitedStreamTest {
    @Test
    void returnsTopTwo() {
        Set<Integer> numbers = new HashSet<>(List.of(70003, 5)); // flaky: PLR102
        List<Integer> top = numbers.stream().limit(5).collect(Collectors.toList());
        //~ List<Integer> top = numbers.stream().sorted().limit(5).collect(Collectors.toList());
        assertEquals(List.of(5, 70003), top);
    }
}
