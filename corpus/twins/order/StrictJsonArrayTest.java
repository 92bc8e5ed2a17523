// route: code under test, 1 call
// settled: JSONAssert lenient
package example.strictjsonarray;

import java.util.HashSet;
import java.util.Set;
import org.json.JSONArray;
import org.junit.jupiter.api.Test;
import org.skyscreamer.jsonassert.JSONAssert;
import org.skyscreamer.jsonassert.JSONCompareMode;

class Labels {
    private final Set<String> labels = new HashSet<>(); // flaky: PLR105 PLR102 PLR101

    void add(String label) {
        labels.add(label);
    }

    String json() {
        return new JSONArray(labels).toString(); // flaky: PLR105
    }
}

class StrictJsonArrayTest {
    @Test
    void writesLabels() throws Exception {
        Labels labels = new Labels();
        labels.add("bug");
        labels.add("wish");
        JSONAssert.assertEquals("[\"bug\",\"wish\"]", labels.json(), JSONCompareMode.STRICT);
        //~ JSONAssert.assertEquals("[\"bug\",\"wish\"]", labels.json(), JSONCompareMode.LENIENT);
    }
}
