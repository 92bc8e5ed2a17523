// route: helper
// settled: line endings normalised
package example.formattednewline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FormattedNewlineTest {
    private String table() {
        String table = String.format("%s%n%s", "a", "b"); // flaky: PLR307
        return table;
        //~ return table.replace("\r\n", "\n");
    }

    @Test
    void writesTable() {
        assertEquals("a\nb", table());
    }
}
