// route: code under test, 3 calls
// settled: sorted entries
package example.stringwriter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ConfigWriter {
    String write(Map<String, String> config) {
        StringWriter out = new StringWriter();
        writeTo(new PrintWriter(out), config);
        return out.toString();
    }

    void writeTo(PrintWriter out, Map<String, String> config) {
        for (Map.Entry<String, String> entry : entries(config)) {
            out.print(entry.getKey() + "=" + entry.getValue() + ";");
        }
        out.flush();
    }

    private Collection<Map.Entry<String, String>> entries(Map<String, String> config) {
        return config.entrySet();
        //~ return new TreeMap<>(config).entrySet();
    }
}

class StringWriterTest {
    @Test
    void writesConfig() {
        Map<String, String> config = new HashMap<>(); // flaky: PLR101
        config.put("depth", "3");
        config.put("width", "8");
        assertEquals("depth=3;width=8;", new ConfigWriter().write(config));
    }
}
