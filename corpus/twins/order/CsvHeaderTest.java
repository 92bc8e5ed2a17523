// route: helper
// settled: sorted stream
package example.csvheader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CsvHeaderTest {
    @Test
    void writesColumnNames() {
        assertEquals("age;city;name", header(Map.of("name", 1, "age", 2, "city", 3))); // flaky: PLR101
    }

    private static String header(Map<String, Integer> columns) {
        return columns.keySet().stream().collect(Collectors.joining(";"));
        //~ return columns.keySet().stream().sorted().collect(Collectors.joining(";"));
    }
}
