// route: code under test, 1 call
// settled: collected in encounter order
package example.parallelstreamorder;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class Resizer {
    List<String> resize(List<String> images) {
        List<String> done = new CopyOnWriteArrayList<>();
        images.parallelStream().forEach(image -> done.add(image + ".small")); // flaky: PLR109
        //~ images.parallelStream().map(image -> image + ".small").collect(Collectors.toList()).forEach(done::add);
        return done;
    }
}

class ParallelStreamOrderTest {
    @Test
    void resizesImages() {
        assertEquals(List.of("a.small", "b.small", "c.small"), new Resizer().resize(List.of("a", "b", "c")));
    }
}
