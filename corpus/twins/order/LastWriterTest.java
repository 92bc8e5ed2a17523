// route: body
// settled: get by key
package example.lastwriter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LastWriterTest {
    @Test
    void remembersAnOwner() {
        Map<String, String> owners = new HashMap<>(); // flaky: PLR103
        owners.put("house", "ann");
        owners.put("car", "bob");
        String owner = null;
        for (String thing : owners.keySet()) {
            owner = owners.get(thing);
        }
        //+ owner = owners.get("car");
        assertEquals("bob", owner);
    }
}
