// route: library
// settled: TreeMultimap
package example.hashmultimaptext;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.collect.HashMultimap;
import com.google.common.collect.Multimap;
import com.google.common.collect.TreeMultimap;
import org.junit.jupiter.api.Test;

class HashMultimapTextTest {
    @Test
    void printsTheGraph() {
        Multimap<String, String> edges = HashMultimap.create(); // flaky: PLR101
        //~ Multimap<String, String> edges = TreeMultimap.create();
        edges.put("a", "b");
        edges.put("c", "d");
        assertEquals("{a=[b], c=[d]}", edges.toString());
    }
}
