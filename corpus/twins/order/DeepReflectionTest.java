// route: code under test, 6 calls
// settled: sorted stream
package example.deepreflection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class Mapper {
    String columns(Class<?> type) {
        return new Dialect().list(type);
    }
}

class Dialect {
    String list(Class<?> type) {
        return new Columns().joined(type);
    }
}

class Columns {
    String joined(Class<?> type) {
        return String.join(",", new Names().of(type));
    }
}

class Names {
    List<String> of(Class<?> type) {
        return new Members().names(type);
    }
}

class Members {
    List<String> names(Class<?> type) {
        return stream(type).collect(Collectors.toList());
        //~ return stream(type).sorted().collect(Collectors.toList());
    }

    private Stream<String> stream(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields()).map(Field::getName); // flaky: PLR104
    }
}

class Animal {
    int legs;
    String sound;
}

class DeepReflectionTest {
    @Test
    void listsColumns() {
        assertEquals("legs,sound", new Mapper().columns(Animal.class));
    }
}
