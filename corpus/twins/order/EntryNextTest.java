// route: setup
// settled: TreeMap
package example.entrynext;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Before;
import org.junit.Test;

public class EntryNextTest {
    private Map<String, Integer> queue;

    @Before
    public void fill() {
        queue = new HashMap<>(); // flaky: PLR103
        //~ queue = new TreeMap<>();
        queue.put("first", 1);
        queue.put("second", 2);
    }

    @Test
    public void startsWithFirst() {
        Map.Entry<String, Integer> head = queue.entrySet().iterator().next();
        assertThat(head.getKey(), is("first"));
    }
}
