// route: body
// settled: single element
package example.singlefield;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SingleFieldTest {
    static class Wrapper {
        String value;
        String label; //-
    }

    @Test
    void namesFields() {
        List<String> names = new ArrayList<>();
        for (Field field : Wrapper.class.getDeclaredFields()) { // flaky: PLR104
            names.add(field.getName());
        }
        assertEquals(List.of("value", "label"), names);
        //~ assertEquals(List.of("value"), names);
    }
}
