// route: body
// settled: not retried
package example.retryanalyzer;

import static org.testng.Assert.assertEquals;

import org.testng.IRetryAnalyzer;
import org.testng.ITestResult;
import org.testng.annotations.Test;

class TwiceTestRetry implements IRetryAnalyzer {
    private int runs;

    @Override
    public boolean retry(ITestResult result) {
        return runs++ < 2;
    }
}

public class RetryAnalyzerTest {
    @Test(retryAnalyzer = TwiceTestRetry.class) // flaky: PLR601
    //~ @Test
    public void passes() {
        assertEquals("ab".length(), 2);
    }
}
