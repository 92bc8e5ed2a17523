// route: body
// settled: sort
package example.copiedlist;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CopiedListTest {
    @Test
    void keepsAllNames() {
        Set<String> names = new HashSet<>(); // flaky: PLR102
        names.add("ann");
        names.add("bob");
        List<String> list = new ArrayList<>(names);
        //+ Collections.sort(list);
        assertEquals(Arrays.asList("ann", "bob"), list);
    }
}
