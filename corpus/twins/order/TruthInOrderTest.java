// route: body
// settled: Truth containsExactly without inOrder
package example.truthinorder;

import static com.google.common.truth.Truth.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TruthInOrderTest {
    @Test
    void collectsDistinctValues() {
        Set<String> values = Stream.of("x", "y", "x").collect(Collectors.toSet()); // flaky: PLR102
        assertThat(values).containsExactly("x", "y").inOrder();
        //~ assertThat(values).containsExactly("x", "y");
    }
}
