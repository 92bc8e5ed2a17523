// route: body
// settled: List.of
package example.setofsequence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SetOfSequenceTest {
    @Test
    void streamsValues() {
        List<Integer> doubled = Set.of(1, 2, 3).stream().map(n -> n * 2).collect(Collectors.toList()); // flaky: PLR102
        //~ List<Integer> doubled = List.of(1, 2, 3).stream().map(n -> n * 2).collect(Collectors.toList());
        assertEquals(List.of(2, 4, 6), doubled);
    }
}
