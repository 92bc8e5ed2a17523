// route: code under test, 1 call
// settled: TreeSet
package example.methodnames;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class Inspector {
    String describe(Class<?> type) {
        StringBuilder text = new StringBuilder();
        for (Method method : type.getDeclaredMethods()) { // flaky: PLR104
            text.append(method.getName()).append(' ');
        }
        return text.toString();
    }

    Set<String> names(Class<?> type) {
        Set<String> names = new TreeSet<>();
        for (Method method : type.getDeclaredMethods()) {
            names.add(method.getName());
        }
        return names;
    }
}

interface Shape {
    double area();

    double perimeter();
}

class MethodNamesTest {
    @Test
    void describesMethods() {
        assertEquals("area perimeter ", new Inspector().describe(Shape.class));
        //~ assertEquals(Set.of("area", "perimeter"), new Inspector().names(Shape.class));
    }
}
