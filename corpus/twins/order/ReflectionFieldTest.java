// route: field of the code under test, through its constructor
// settled: TreeMap
package example.reflectionfield;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class Schema {
    private final Map<String, String> columns = new LinkedHashMap<>();
    //~ private final Map<String, String> columns = new TreeMap<>();

    Schema(Class<?> type) {
        for (Field field : type.getDeclaredFields()) { // flaky: PLR104
            columns.put(field.getName(), field.getType().getSimpleName());
        }
    }

    String ddl() {
        return columns.toString();
    }
}

class Pet {
    String name;
    int weight;
}

class ReflectionFieldTest {
    @Test
    void describesColumns() {
        assertEquals("{name=String, weight=int}", new Schema(Pet.class).ddl());
    }
}
