// route: setup of the enclosing class
// settled: LinkedHashMap filled in a defined order
package example.nestedtestclass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class NestedTestClassTest {
    private Map<String, String> settings;

    @BeforeEach
    void settings() {
        settings = new HashMap<>(); // flaky: PLR101
        //~ settings = new LinkedHashMap<>();
        settings.put("theme", "dark");
        settings.put("font", "mono");
    }

    @Nested
    class WhenPrinted {
        @Test
        void showsAll() {
            assertEquals("theme=dark,font=mono", settings.entrySet().stream()
                    .map(Object::toString).collect(Collectors.joining(",")));
        }
    }
}
