// route: static field of the code under test
// settled: restored in teardown
package example.featureflag;

import static org.junit.Assert.assertEquals;

import org.junit.After;
import org.junit.Test;

class Features {
    static boolean beta = false;
}

class Menu {
    int entries() {
        return Features.beta ? 4 : 3;
    }
}

public class FeatureFlagTest {
    //+ @After
    //+ public void restore() {
    //+     Features.beta = false;
    //+ }
    //+
    @Test
    public void showsBetaEntry() {
        Features.beta = true; // flaky: PLR501
        assertEquals(4, new Menu().entries());
    }

    @Test
    public void hidesBetaEntry() {
        assertEquals(3, new Menu().entries());
    }
}
