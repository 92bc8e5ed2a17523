// route: library
// settled: ImmutableSortedMap
package example.sortedmaptext;

import static org.junit.Assert.assertEquals;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

public class SortedMapTextTest {
    @Test
    public void printsGrades() {
        Map<String, Integer> grades = new HashMap<>(ImmutableMap.of("art", 1, "music", 2)); // flaky: PLR101
        //~ Map<String, Integer> grades = ImmutableSortedMap.of("art", 1, "music", 2);
        assertEquals("{art=1, music=2}", grades.toString());
    }
}
