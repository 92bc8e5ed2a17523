// route: setup, expected text in a constant
// settled: TreeMap
package example.expectedconstant;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Before;
import org.junit.Test;

public class ExpectedConstantTest {
    private static final String EXPECTED = "{depth=2, height=5, width=3}";

    private final Map<String, Integer> box = new HashMap<>(); // flaky: PLR101
    //~ private final Map<String, Integer> box = new TreeMap<>();

    @Before
    public void measure() {
        box.put("width", 3);
        box.put("height", 5);
        box.put("depth", 2);
    }

    @Test
    public void hasText() {
        assertThat(box.toString(), equalTo(EXPECTED));
    }
}
