// route: library
// settled: trees compared
package example.xmltojson;

import static org.junit.Assert.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.json.XML;
import org.junit.Test;

public class XmlToJsonTest {
    private static final String EXPECTED = "{\"order\":{\"item\":\"tea\",\"price\":3}}";

    private final ObjectMapper mapper = new ObjectMapper();

    @Test
    public void convertsAnOrder() throws Exception {
        String json = XML.toJSONObject("<order><item>tea</item><price>3</price></order>").toString(); // flaky: PLR110
        assertEquals(EXPECTED, json); // flaky: PLR110 PLR105
        //~ assertEquals(mapper.readTree(EXPECTED), mapper.readTree(json));
    }
}
