// route: setup
// settled: compared as JSON trees
package example.readtree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReadTreeTest {
    private ObjectMapper mapper;

    public static class Size {
        public int width = 2;
        public int height = 3;
    }

    @BeforeEach
    void createMapper() {
        mapper = new ObjectMapper();
    }

    @Test
    void writesSize() throws Exception {
        String json = mapper.writeValueAsString(new Size()); // flaky: PLR105
        assertEquals("{\"width\":2,\"height\":3}", json);
        //~ assertEquals(mapper.readTree("{\"width\":2,\"height\":3}"), mapper.readTree(json));
    }
}
