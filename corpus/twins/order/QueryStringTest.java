// route: code under test, 1 call
// settled: LinkedHashMap filled in a defined order
package example.querystring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueryString {
    private final Map<String, String> parameters = new HashMap<>(); // flaky: PLR101
    //~ private final Map<String, String> parameters = new LinkedHashMap<>();

    QueryString add(String name, String value) {
        parameters.put(name, value);
        return this;
    }

    String render() {
        StringBuilder text = new StringBuilder("?");
        for (Map.Entry<String, String> entry : parameters.entrySet()) {
            if (text.length() > 1) {
                text.append('&');
            }
            text.append(entry.getKey()).append('=').append(entry.getValue());
        }
        return text.toString();
    }
}

class QueryStringTest {
    @Test
    void rendersParameters() {
        QueryString query = new QueryString().add("page", "2").add("size", "20");
        assertEquals("?page=2&size=20", query.render());
    }
}
