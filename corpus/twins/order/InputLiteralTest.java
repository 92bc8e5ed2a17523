// route: body
// settled: literal is input, not expectation
package example.inputliteral;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class Settings {
    private final Map<String, String> values = new HashMap<>(); // flaky: PLR101

    static Settings parse(String text) {
        Settings settings = new Settings();
        for (String pair : text.split(",")) {
            String[] parts = pair.split("=");
            settings.values.put(parts[0], parts[1]);
        }
        return settings;
    }

    String get(String name) {
        return values.get(name);
    }

    String text() {
        return values.entrySet().stream().map(it -> it.getKey() + "=" + it.getValue()).collect(Collectors.joining(","));
    }
}

class InputLiteralTest {
    @Test
    void parsesPairs() {
        Settings settings = Settings.parse("color=red,size=9");
        assertEquals("color=red,size=9", settings.text());
        //~ assertEquals("red", settings.get("color"));
    }
}
