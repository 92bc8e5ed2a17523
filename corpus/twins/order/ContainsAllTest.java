// route: code under test, 1 call
// settled: containsAll
package example.containsall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class Grep {
    List<String> matches(String... words) {
        Set<String> found = new HashSet<>(); // flaky: PLR102
        for (String word : words) {
            if (word.startsWith("t")) {
                found.add(word);
            }
        }
        return new ArrayList<>(found);
    }
}

class ContainsAllTest {
    @Test
    void findsMatches() {
        List<String> found = new Grep().matches("two", "ten", "six");
        assertEquals(List.of("two", "ten"), found);
        //~ assertTrue(found.containsAll(List.of("two", "ten")));
    }
}
