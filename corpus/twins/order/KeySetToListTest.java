// route: code under test, 1 call
// settled: sorted stream
package example.keysettolist;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.Before;
import org.junit.Test;

class Catalogue {
    private final Map<String, Double> items = new HashMap<>(); // flaky: PLR102

    void add(String name, double price) {
        items.put(name, price);
    }

    List<String> names() {
        return items.keySet().stream().collect(Collectors.toList());
        //~ return items.keySet().stream().sorted().collect(Collectors.toList());
    }
}

public class KeySetToListTest {
    private Catalogue catalogue;

    @Before
    public void setUp() {
        catalogue = new Catalogue();
        catalogue.add("lamp", 10);
        catalogue.add("sofa", 200);
        catalogue.add("table", 80);
    }

    @Test
    public void listsNames() {
        assertEquals(Arrays.asList("lamp", "sofa", "table"), catalogue.names());
    }
}
