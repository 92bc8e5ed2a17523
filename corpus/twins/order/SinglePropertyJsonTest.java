// route: superclass
// settled: single key
package example.singlepropertyjson;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import org.junit.jupiter.api.Test;

abstract class JsonTestCase {
    private final Gson gson = new GsonBuilder().create();

    protected String toJson(Object value) {
        return gson.toJson(value); // flaky: PLR105
    }
}

class SinglePropertyJsonTest extends JsonTestCase {
    static class Flag {
        boolean on = true;
        String since = "2020"; //-
    }

    @Test
    void writesFlag() {
        assertEquals("{\"on\":true,\"since\":\"2020\"}", toJson(new Flag()));
        //~ assertEquals("{\"on\":true}", toJson(new Flag()));
    }
}
