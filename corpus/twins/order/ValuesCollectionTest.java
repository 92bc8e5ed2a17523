// route: setup
// settled: LinkedHashMap filled in a defined order
package example.valuescollection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ValuesCollectionTest {
    private Map<String, String> capitals;

    @BeforeEach
    void createCapitals() {
        capitals = new HashMap<>(); // flaky: PLR102
        //~ capitals = new LinkedHashMap<>();
        capitals.put("France", "Paris");
        capitals.put("Italy", "Rome");
        capitals.put("Spain", "Madrid");
    }

    @Test
    void returnsCapitals() {
        assertEquals(List.of("Paris", "Rome", "Madrid"), new ArrayList<>(capitals.values()));
    }
}
