// route: body
// settled: generous limit
package example.testtimeout;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

class Parser {
    int parse(String text) {
        int sum = 0;
        for (char letter : text.toCharArray()) {
            sum += letter;
        }
        return sum;
    }
}

public class TestTimeoutTest {
    @Test(timeout = 50) // flaky: PLR203
    //~ @Test(timeout = 60_000)
    public void parsesQuickly() {
        assertEquals(195, new Parser().parse("ab"));
    }
}
