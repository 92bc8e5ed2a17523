// route: body
// settled: contains of one element
package example.containsintext;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ContainsInTextTest {
    @Test
    void mentionsTheOwner() {
        Set<String> owners = new HashSet<>(Arrays.asList("ann", "bob")); // flaky: PLR101
        String text = "owned by " + String.join(" and ", owners);
        assertTrue(text.contains("ann and bob"));
        //~ assertTrue(text.contains("bob"));
    }
}
