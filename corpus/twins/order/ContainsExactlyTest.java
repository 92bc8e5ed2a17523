// route: helper
// settled: containsExactlyInAnyOrder
package example.containsexactly;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ContainsExactlyTest {
    @Test
    void findsNeighbours() {
        assertThat(neighbours("b")).containsExactly("a", "c");
        //~ assertThat(neighbours("b")).containsExactlyInAnyOrder("a", "c");
    }

    private Set<String> neighbours(String node) {
        Set<String> found = new HashSet<>(); // flaky: PLR102
        found.add(String.valueOf((char) (node.charAt(0) - 1)));
        found.add(String.valueOf((char) (node.charAt(0) + 1)));
        return found;
    }
}
