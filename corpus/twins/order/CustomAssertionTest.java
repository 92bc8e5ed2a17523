// route: helper that asserts
// settled: sort
package example.customassertion;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;

public class CustomAssertionTest {
    private static void assertNames(Collection<String> actual, String... expected) {
        List<String> names = new ArrayList<>(actual);
        //+ Collections.sort(names);
        assertEquals(Arrays.asList(expected), names);
    }

    @Test
    public void ranksPlayers() {
        Map<String, Integer> ranks = new HashMap<>(); // flaky: PLR102
        ranks.put("ann", 1);
        ranks.put("bob", 2);
        assertNames(ranks.keySet(), "ann", "bob");
    }
}
