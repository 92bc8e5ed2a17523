// route: lambda
// settled: findFirst
package example.findanyparallel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class FindAnyParallelTest {
    @Test
    void findsMatch() {
        String match = List.of("a1", "b2", "c3", "d4").parallelStream()
                .filter(word -> word.length() == 2)
                .findAny() // flaky: PLR109
                //~ .findFirst()
                .orElse("none");
        assertEquals("a1", match);
    }
}
