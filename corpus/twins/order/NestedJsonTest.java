// route: code under test, 3 calls
// settled: @JsonPropertyOrder
package example.nestedjson;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class Api {
    private final ResponseWriter writer = new ResponseWriter();

    String get(String user) {
        return writer.body(new Profile(user, 3));
    }
}

class ResponseWriter {
    private final JsonSupport json = new JsonSupport();

    String body(Object value) {
        return json.text(value);
    }
}

class JsonSupport {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value); // flaky: PLR105
        } catch (JsonProcessingException error) {
            throw new IllegalStateException(error);
        }
    }
}

//+ @JsonPropertyOrder(alphabetic = true)
class Profile {
    private final String user;
    private final int visits;

    Profile(String user, int visits) {
        this.user = user;
        this.visits = visits;
    }

    public String getUser() {
        return user;
    }

    public int getVisits() {
        return visits;
    }
}

class NestedJsonTest {
    @Test
    void returnsProfile() {
        assertEquals("{\"user\":\"ann\",\"visits\":3}", new Api().get("ann"));
    }
}
