// route: body
// settled: TreeSet
package example.equalsinsideasserttrue;

import static org.junit.Assert.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Test;

public class EqualsInsideAssertTrueTest {
    @Test
    public void namesTheCrew() {
        Set<String> crew = new HashSet<>(); // flaky: PLR101
        //~ Set<String> crew = new TreeSet<>();
        crew.add("kirk");
        crew.add("spock");
        String text = crew.toString();
        assertTrue(text.equals("[kirk, spock]"));
    }
}
