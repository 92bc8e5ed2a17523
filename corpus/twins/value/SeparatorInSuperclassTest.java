// route: superclass
// settled: explicit newline
package example.separatorinsuperclass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

abstract class TextTestCase {
    protected String lines(String... lines) {
        return String.join(System.lineSeparator(), lines); // flaky: PLR307
        //~ return String.join("\n", lines);
    }
}

class SeparatorInSuperclassTest extends TextTestCase {
    @Test
    void joins() {
        assertEquals("x\ny", lines("x", "y"));
    }
}
