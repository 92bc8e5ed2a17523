// route: field of the code under test, through its constructor
// settled: TreeMap
package example.treemaptojson;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.Gson;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class Payload {
    private final Map<String, Object> values;

    Payload(Map<String, Object> values) {
        this.values = values;
    }

    String json() {
        return new Gson().toJson(values); // flaky: PLR105
    }
}

class TreeMapToJsonTest {
    @Test
    void writesPayload() {
        Map<String, Object> values = new HashMap<>(); // flaky: PLR105 PLR101
        //~ Map<String, Object> values = new TreeMap<>();
        values.put("event", "open");
        values.put("user", 5);
        assertEquals("{\"event\":\"open\",\"user\":5}", new Payload(values).json());
    }
}
