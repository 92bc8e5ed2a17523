// route: superclass
// settled: merged into one
package example.twobeforesofsuper;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.Before;
import org.junit.Test;

abstract class TwoStepTestCase {
    protected final List<String> steps = new ArrayList<>();

    @Before
    public void first() {
        steps.add("first");
        //+ steps.add("second");
    }

    @Before // flaky: PLR602
    //~
    public void second() { // flaky: PLR602
        //~ protected void rest() {
        steps.add("second");
    }
}

public class TwoBeforesOfSuperTest extends TwoStepTestCase {
    @Test
    public void tookBothSteps() {
        assertEquals(2, steps.size());
    }
}
