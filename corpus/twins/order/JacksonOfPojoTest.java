// route: library
// settled: @JsonPropertyOrder
package example.jacksonofpojo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

//+ @JsonPropertyOrder({"name", "size"})
class Crate {
    private final String name = "box";
    private final int size = 4;

    public String getName() {
        return name;
    }

    public int getSize() {
        return size;
    }
}

class JacksonOfPojoTest {
    @Test
    void serialisesCrate() throws Exception {
        String json = new ObjectMapper().writeValueAsString(new Crate()); // flaky: PLR105
        assertEquals("{\"name\":\"box\",\"size\":4}", json);
    }
}
