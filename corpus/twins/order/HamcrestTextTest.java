// route: body
// settled: TreeMap
package example.hamcresttext;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Test;

public class HamcrestTextTest {
    @Test
    public void describesLimits() {
        Map<String, Integer> limits = new HashMap<>(); // flaky: PLR101
        //~ Map<String, Integer> limits = new TreeMap<>();
        limits.put("cpu", 2);
        limits.put("memory", 512);
        assertThat("limits " + limits, is("limits {cpu=2, memory=512}"));
    }
}
