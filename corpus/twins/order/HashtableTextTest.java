// route: body
// settled: TreeMap
package example.hashtabletext;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Hashtable;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HashtableTextTest {
    @Test
    void printsPorts() {
        Map<String, Integer> ports = new Hashtable<>(); // flaky: PLR101
        //~ Map<String, Integer> ports = new TreeMap<>();
        ports.put("http", 80);
        ports.put("ssh", 22);
        assertEquals("{http=80, ssh=22}", ports.toString());
    }
}
