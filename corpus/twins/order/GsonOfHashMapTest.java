// route: body
// settled: LinkedHashMap filled in a defined order
package example.gsonofhashmap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.Gson;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GsonOfHashMapTest {
    @Test
    void writesHeaders() {
        Map<String, String> headers = new HashMap<>(); // flaky: PLR105 PLR101
        //~ Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Accept", "text/html");
        headers.put("Host", "example.org");
        String json = new Gson().toJson(headers); // flaky: PLR105
        assertEquals("{\"Accept\":\"text/html\",\"Host\":\"example.org\"}", json);
    }
}
