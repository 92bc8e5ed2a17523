// route: lambda
// settled: collected by the stream
package example.parallelcollect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParallelCollectTest {
    @Test
    void collectsAll() {
        List<Integer> squares = new ArrayList<>(); // flaky: PLR209
        IntStream.range(0, 1000).parallel().forEach(number -> squares.add(number * number)); // flaky: PLR209
        //~ squares.addAll(IntStream.range(0, 1000).parallel().map(it -> it * it).boxed().collect(Collectors.toList()));
        assertEquals(1000, squares.size());
    }
}
