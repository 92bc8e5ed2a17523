// route: body
// settled: all runs must pass
package example.successpercentage;

import static org.testng.Assert.assertTrue;

import org.testng.annotations.Test;

public class SuccessPercentageTest {
    @Test(invocationCount = 10, successPercentage = 80) // flaky: PLR601
    //~ @Test(invocationCount = 10)
    public void mostlyPasses() {
        assertTrue("peeler".startsWith("p"));
    }
}
