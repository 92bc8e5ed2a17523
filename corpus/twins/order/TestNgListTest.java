// route: body
// settled: sort
package example.testnglist;

import static org.testng.Assert.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.testng.annotations.Test;

public class TestNgListTest {
    @Test
    public void returnsIds() {
        Set<String> ids = new HashSet<>(); // flaky: PLR102
        ids.add("x1");
        ids.add("y2");
        List<String> list = new ArrayList<>(ids);
        //+ Collections.sort(list);
        assertEquals(list, Arrays.asList("x1", "y2"));
    }
}
