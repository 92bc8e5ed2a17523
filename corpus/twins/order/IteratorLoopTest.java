// route: body
// settled: TreeMap
package example.iteratorloop;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Test;

public class IteratorLoopTest {
    @Test
    public void walksWithIterator() {
        Map<String, Integer> stock = new HashMap<>(); // flaky: PLR102
        //~ Map<String, Integer> stock = new TreeMap<>();
        stock.put("bolt", 4);
        stock.put("nut", 9);
        List<Integer> amounts = new LinkedList<>();
        Iterator<Map.Entry<String, Integer>> entries = stock.entrySet().iterator();
        while (entries.hasNext()) {
            amounts.add(entries.next().getValue());
        }
        assertEquals(Arrays.asList(4, 9), amounts);
    }
}
