// route: setup
// settled: TreeMap
package example.greetingbook;

import static org.junit.Assert.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Before;
import org.junit.Test;

public class GreetingBookTest {
    private Map<String, String> greetings;

    @Before
    public void fill() {
        greetings = new HashMap<>(); // flaky: PLR101
        //~ greetings = new TreeMap<>();
        greetings.put("de", "Hallo");
        greetings.put("en", "Hello");
        greetings.put("fr", "Salut");
    }

    @Test
    public void listsLanguages() {
        StringBuilder languages = new StringBuilder();
        for (String language : greetings.keySet()) {
            languages.append(language).append(' ');
        }
        assertEquals("de en fr ", languages.toString());
    }
}
