// route: code under test, 3 calls
// settled: sorted by name
package example.reflectivetext;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class Printer {
    String print(Object bean) {
        return bean.getClass().getSimpleName() + "(" + properties(bean) + ")";
    }

    private String properties(Object bean) {
        return Arrays.stream(fields(bean.getClass())).map(field -> field.getName() + "=" + value(field, bean))
                .collect(Collectors.joining(","));
    }

    private Field[] fields(Class<?> type) {
        Field[] fields = type.getDeclaredFields(); // flaky: PLR104
        //+ Arrays.sort(fields, Comparator.comparing(Field::getName));
        return fields;
    }

    private Object value(Field field, Object bean) {
        try {
            field.setAccessible(true);
            return field.get(bean);
        } catch (IllegalAccessException error) {
            throw new IllegalStateException(error);
        }
    }
}

class Point {
    private final int x = 1;
    private final int y = 2;
}

class ReflectiveTextTest {
    @Test
    void printsBeans() {
        assertEquals("Point(x=1,y=2)", new Printer().print(new Point()));
    }
}
