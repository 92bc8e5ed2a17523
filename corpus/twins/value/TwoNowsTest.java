// route: body
// settled: one reading
package example.twonows;

import static org.junit.Assert.assertEquals;

import java.util.Date;
import org.junit.Test;

public class TwoNowsTest {
    @Test
    public void keepsCreationTime() {
        long now = System.currentTimeMillis(); // flaky: PLR301
        Date created = new Date(); // flaky: PLR301
        //~ Date created = new Date(now);
        assertEquals(now, created.getTime());
    }
}
