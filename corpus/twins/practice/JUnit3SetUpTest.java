// route: superclass
// settled: super called
package example.junit3setup;

import junit.framework.TestCase;

class BaseTestCase extends TestCase {
    protected String name;

    @Override
    protected void setUp() throws Exception {
        super.setUp();
        name = "base";
    }
}

public class JUnit3SetUpTest extends BaseTestCase {
    @Override
    protected void setUp() throws Exception { // flaky: PLR603
        //+ super.setUp();
        name = name + "!";
    }

    public void testName() {
        assertTrue(name.endsWith("!"));
    }
}
