// route: lambda
// settled: TreeSet
package example.findfirst;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FindFirstTest {
    @Test
    void findsLongWord() {
        Set<String> words = new HashSet<>(Arrays.asList("alpha", "bravo", "charlie")); // flaky: PLR103
        //~ Set<String> words = new TreeSet<>(Arrays.asList("alpha", "bravo", "charlie"));
        String first = words.stream().filter(word -> word.length() > 4).findFirst().get();
        assertEquals("alpha", first);
    }
}
