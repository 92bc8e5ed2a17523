// route: lambda
// settled: Collectors.toCollection(TreeSet::new)
package example.totreeset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ToTreeSetTest {
    @Test
    void collectsInitials() {
        Set<String> initials = Stream.of("bob", "ann", "ben")
                .map(name -> name.substring(0, 1))
                .collect(Collectors.toSet()); // flaky: PLR101
                //~ .collect(Collectors.toCollection(TreeSet::new));
        assertEquals("a/b", String.join("/", initials));
    }
}
