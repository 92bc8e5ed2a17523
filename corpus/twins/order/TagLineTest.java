// route: body
// settled: LinkedHashSet filled in a defined order
package example.tagline;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.Test;

public class TagLineTest {
    @Test
    public void joinsTags() {
        Set<String> tags = new HashSet<>(Arrays.asList("red", "green", "blue")); // flaky: PLR101
        //~ Set<String> tags = new LinkedHashSet<>(Arrays.asList("red", "green", "blue"));
        assertEquals("red,green,blue", String.join(",", tags));
    }
}
