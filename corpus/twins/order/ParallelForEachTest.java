// route: lambda
// settled: forEachOrdered
package example.parallelforeach;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParallelForEachTest {
    @Test
    void visitsNumbers() {
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        IntStream.range(0, 100).parallel().forEach(seen::add); // flaky: PLR109
        //~ IntStream.range(0, 100).parallel().forEachOrdered(seen::add);
        assertEquals(IntStream.range(0, 100).boxed().collect(Collectors.toList()), seen);
    }
}
