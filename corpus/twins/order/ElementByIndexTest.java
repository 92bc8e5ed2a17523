// route: body
// settled: contains
package example.elementbyindex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ElementByIndexTest {
    @Test
    void splitsSentence() {
        Set<String> words = new HashSet<>(Arrays.asList("hello world".split(" "))); // flaky: PLR103
        List<String> list = new ArrayList<>(words);
        assertEquals("hello", list.get(0));
        //~ assertTrue(list.contains("hello"));
    }
}
