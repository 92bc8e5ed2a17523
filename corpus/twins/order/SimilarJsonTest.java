// route: helper
// settled: JSONObject.similar
package example.similarjson;

import static org.junit.Assert.assertEquals;

import org.json.JSONObject;
import org.junit.Test;

public class SimilarJsonTest {
    private JSONObject person() throws Exception {
        JSONObject person = new JSONObject(); // flaky: PLR105 PLR101
        person.put("first", "Ann");
        person.put("last", "Lee");
        return person;
    }

    @Test
    public void buildsPerson() throws Exception {
        assertEquals("{\"first\":\"Ann\",\"last\":\"Lee\"}", person().toString()); // flaky: PLR105
        //~ assertEquals("Lee", person().getString("last"));
    }
}
