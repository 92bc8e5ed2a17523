// route: library
// settled: JSONAssert lenient
package example.orgjsontext;

import static org.junit.Assert.assertEquals;

import org.json.JSONObject;
import org.junit.Test;
import org.skyscreamer.jsonassert.JSONAssert;
import org.skyscreamer.jsonassert.JSONCompareMode;

public class OrgJsonTextTest {
    @Test
    public void buildsRequest() throws Exception {
        JSONObject request = new JSONObject(); // flaky: PLR105 PLR101
        request.put("method", "GET");
        request.put("path", "/");
        assertEquals("{\"method\":\"GET\",\"path\":\"/\"}", request.toString()); // flaky: PLR105
        //~ JSONAssert.assertEquals("{\"method\":\"GET\",\"path\":\"/\"}", request.toString(), JSONCompareMode.LENIENT);
    }
}
