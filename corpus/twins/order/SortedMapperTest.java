// route: code under test, 1 call
// settled: SORT_PROPERTIES_ALPHABETICALLY
package example.sortedmapper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;

class Codec {
    private final ObjectMapper mapper;

    Codec() {
        mapper = JsonMapper.builder().build();
        //~ mapper = JsonMapper.builder().enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY).build();
    }

    String encode(Object value) {
        try {
            return mapper.writeValueAsString(value); // flaky: PLR105
        } catch (JsonProcessingException error) {
            throw new IllegalArgumentException(error);
        }
    }
}

class Song {
    public String artist = "Bach";
    public String title = "Air";
}

class SortedMapperTest {
    @Test
    void encodesSongs() {
        assertEquals("{\"artist\":\"Bach\",\"title\":\"Air\"}", new Codec().encode(new Song()));
    }
}
