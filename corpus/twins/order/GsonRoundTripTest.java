// route: body
// settled: round trip of the same value
package example.gsonroundtrip;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.Gson;
import org.junit.jupiter.api.Test;

class GsonRoundTripTest {
    static class Event {
        String type = "click";
        int x = 10;

        @Override
        public boolean equals(Object other) {
            return other instanceof Event && ((Event) other).type.equals(type) && ((Event) other).x == x;
        }

        @Override
        public int hashCode() {
            return type.hashCode() + x;
        }
    }

    @Test
    void survives() {
        Gson gson = new Gson();
        Event event = new Event();
        String json = gson.toJson(event); // flaky: PLR105
        assertEquals("{\"type\":\"click\",\"x\":10}", json);
        //~ assertEquals(event, gson.fromJson(json, Event.class));
    }
}
