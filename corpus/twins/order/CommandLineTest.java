// route: code under test, 3 calls
// settled: ordered Map from LinkedHashMap copy
package example.commandline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class Launcher {
    String command(String program, Map<String, String> options) {
        return program + arguments(options);
    }

    private String arguments(Map<String, String> options) {
        return joined(defaults(options));
    }

    private Map<String, String> defaults(Map<String, String> options) {
        Map<String, String> all = new HashMap<>(options); // flaky: PLR101
        //~ Map<String, String> all = new LinkedHashMap<>(options);
        all.putIfAbsent("verbose", "false");
        return all;
    }

    private String joined(Map<String, String> options) {
        StringBuilder text = new StringBuilder();
        for (String name : options.keySet()) {
            text.append(" --").append(name).append('=').append(options.get(name));
        }
        return text.toString();
    }
}

class CommandLineTest {
    @Test
    void addsDefaults() {
        assertEquals("run --color=auto --verbose=false", new Launcher().command("run", Map.of("color", "auto")));
    }
}
