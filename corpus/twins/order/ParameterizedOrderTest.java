// route: parameters of the test
// settled: sort
package example.parameterizedorder;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ParameterizedOrderTest {
    static Stream<Set<String>> groups() {
        return Stream.of(new HashSet<>(List.of("a", "b"))); // flaky: PLR102
    }

    @ParameterizedTest
    @MethodSource("groups")
    void startsWithFirst(Set<String> group) {
        List<String> names = new ArrayList<>(group);
        //+ names.sort(Comparator.naturalOrder());
        assertEquals(List.of("a", "b"), names);
    }
}
