// route: setup
// settled: merged into one
package example.twosetups;

import static org.junit.Assert.assertEquals;

import org.junit.Before;
import org.junit.Test;

public class TwoSetupsTest {
    private StringBuilder text;

    @Before
    public void create() {
        text = new StringBuilder("a");
        //+ text.append("b");
    }

    @Before // flaky: PLR602
    //~
    public void fill() { // flaky: PLR602
        //~ public void rest() {
        text.append("b");
    }

    @Test
    public void isFilled() {
        assertEquals("ab", text.toString());
    }
}
