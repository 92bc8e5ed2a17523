// route: superclass
// settled: sort
package example.reflectioninsuperclass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

abstract class BeanTestCase {
    protected List<String> getters(Class<?> type) {
        List<String> names = new ArrayList<>();
        for (Method method : type.getDeclaredMethods()) { // flaky: PLR104
            if (method.getName().startsWith("get")) {
                names.add(method.getName());
            }
        }
        //+ names.sort(Comparator.naturalOrder());
        return names;
    }
}

class House {
    public int getRooms() {
        return 3;
    }

    public String getStreet() {
        return "Elm";
    }
}

class ReflectionInSuperclassTest extends BeanTestCase {
    @Test
    void hasGetters() {
        assertEquals(List.of("getRooms", "getStreet"), getters(House.class));
    }
}
