// route: field of the test
// settled: not retried
package example.retryrule;

import static org.junit.Assert.assertEquals;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

class RetryTestRule implements TestRule {
    private final int times;

    RetryTestRule(int times) {
        this.times = times;
    }

    @Override
    public Statement apply(Statement base, Description description) {
        return new Statement() {
            @Override
            public void evaluate() throws Throwable {
                Throwable last = null;
                for (int run = 0; run < times; run++) {
                    try {
                        base.evaluate();
                        return;
                    } catch (Throwable error) {
                        last = error;
                    }
                }
                throw last;
            }
        };
    }
}

public class RetryRuleTest {
    @Rule //-
    public RetryTestRule retry = new RetryTestRule(3); // flaky: PLR601
    //~

    @Test
    public void passes() {
        assertEquals(4, 2 + 2);
    }
}
