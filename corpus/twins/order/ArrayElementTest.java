// route: superclass
// settled: Arrays.sort
package example.arrayelement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

abstract class SortedTestCase {
    protected String[] toArray(Collection<String> names) {
        String[] array = names.toArray(new String[0]);
        //+ Arrays.sort(array);
        return array;
    }
}

class ArrayElementTest extends SortedTestCase {
    @Test
    void firstIsAda() {
        Set<String> names = new HashSet<>(List.of("ada", "bob", "cyd")); // flaky: PLR103
        assertEquals("ada", toArray(names)[0]);
    }
}
