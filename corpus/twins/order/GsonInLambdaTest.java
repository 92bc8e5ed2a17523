// route: lambda
// settled: TreeMap
package example.gsoninlambda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.Gson;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class GsonInLambdaTest {
    private final Function<Map<String, Integer>, String> writer = values -> new Gson().toJson(values); // flaky: PLR105

    @Test
    void writesValues() {
        Map<String, Integer> values = new HashMap<>(); // flaky: PLR105 PLR101
        //~ Map<String, Integer> values = new TreeMap<>();
        values.put("high", 9);
        values.put("low", 1);
        assertEquals("{\"high\":9,\"low\":1}", writer.apply(values));
    }
}
