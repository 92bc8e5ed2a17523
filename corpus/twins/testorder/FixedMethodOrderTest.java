// route: static field of the test
// settled: test prepares what it needs
package example.fixedmethodorder;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;

import org.junit.Before;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING) // flaky: PLR507
//~
public class FixedMethodOrderTest {
    private static String token;

    //+ @Before
    //+ public void login() {
    //+     token = "secret";
    //+ }
    //+
    @Test
    public void test1Login() {
        token = "secret"; // flaky: PLR507
        assertNotNull(token);
    }

    @Test
    public void test2UseToken() {
        assertEquals(6, token.length()); // flaky: PLR507
    }
}
