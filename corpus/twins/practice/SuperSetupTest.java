// route: superclass
// settled: super called
package example.supersetup;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.Before;
import org.junit.Test;

abstract class DatabaseTestCase {
    protected List<String> tables;

    @Before
    public void setUp() {
        tables = new ArrayList<>();
    }
}

public class SuperSetupTest extends DatabaseTestCase {
    @Before
    @Override
    public void setUp() { // flaky: PLR603
        //+ super.setUp();
        if (tables == null) {
            tables = new ArrayList<>();
        }
        tables.add("users");
    }

    @Test
    public void hasTable() {
        assertEquals(1, tables.size());
    }
}
