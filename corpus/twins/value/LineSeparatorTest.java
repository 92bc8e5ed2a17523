// route: code under test, 1 call
// settled: explicit newline
package example.lineseparator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class Poem {
    String text(List<String> lines) {
        return String.join(System.lineSeparator(), lines); // flaky: PLR307
        //~ return String.join("\n", lines);
    }
}

class LineSeparatorTest {
    @Test
    void joinsLines() {
        assertEquals("roses\nviolets", new Poem().text(List.of("roses", "violets")));
    }
}
