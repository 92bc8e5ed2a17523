// route: body
// settled: TreeSet
package example.splitafterjoin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SplitAfterJoinTest {
    @Test
    void splitsAgain() {
        Set<String> flags = new HashSet<>(Arrays.asList("a", "b")); // flaky: PLR102
        //~ Set<String> flags = new TreeSet<>(Arrays.asList("a", "b"));
        String line = String.join(" ", flags);
        assertEquals(Arrays.asList("a", "b"), Arrays.asList(line.split(" ")));
    }
}
