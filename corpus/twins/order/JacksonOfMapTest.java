// route: helper
// settled: ORDER_MAP_ENTRIES_BY_KEYS
package example.jacksonofmap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JacksonOfMapTest {
    private final ObjectMapper mapper = new ObjectMapper();
    //~ private final ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    private String json(Object value) throws JsonProcessingException {
        return mapper.writeValueAsString(value); // flaky: PLR105
    }

    @Test
    void writesMaps() throws Exception {
        Map<String, Object> user = new HashMap<>(); // flaky: PLR105 PLR101
        user.put("id", 7);
        user.put("mail", "a@b");
        assertEquals("{\"id\":7,\"mail\":\"a@b\"}", json(user));
    }
}
