// route: superclass
// settled: TreeSet
package example.iterableequals;

import static org.junit.jupiter.api.Assertions.assertIterableEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class PlannerTestCase {
    protected Set<String> planned;

    @BeforeEach
    void prepare() {
        planned = new HashSet<>(); // flaky: PLR102
        //~ planned = new TreeSet<>();
    }
}

class IterableEqualsTest extends PlannerTestCase {
    @Test
    void plansBoth() {
        planned.add("breakfast");
        planned.add("dinner");
        assertIterableEquals(List.of("breakfast", "dinner"), planned);
    }
}
