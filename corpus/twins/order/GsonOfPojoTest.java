// route: library
// settled: compared as JSON trees
package example.gsonofpojo;

import static org.junit.Assert.assertEquals;

import com.google.gson.Gson;
import com.google.gson.JsonParser;
import org.junit.Test;

class Address {
    private final String street;
    private final String city;

    Address(String street, String city) {
        this.street = street;
        this.city = city;
    }
}

public class GsonOfPojoTest {
    @Test
    public void serialisesAddress() {
        String json = new Gson().toJson(new Address("Main St", "Bern")); // flaky: PLR105
        String expected = "{\"street\":\"Main St\",\"city\":\"Bern\"}";
        assertEquals(expected, json);
        //~ assertEquals(JsonParser.parseString(expected), JsonParser.parseString(json));
    }
}
