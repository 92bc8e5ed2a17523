// route: helper
// settled: containsExactlyInAnyOrder
package example.annotatedfields;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class Row {
    @Deprecated
    String id;
    @Deprecated
    String key;
    String value;
}

class AnnotatedFieldsTest {
    private List<String> deprecated(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields()) // flaky: PLR104
                .filter(field -> field.isAnnotationPresent(Deprecated.class))
                .map(Field::getName)
                .collect(Collectors.toList());
    }

    @Test
    void findsDeprecatedFields() {
        assertThat(deprecated(Row.class)).containsExactly("id", "key");
        //~ assertThat(deprecated(Row.class)).containsExactlyInAnyOrder("id", "key");
    }
}
