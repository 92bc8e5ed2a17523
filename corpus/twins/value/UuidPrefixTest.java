// route: body
// settled: format only
package example.uuidprefix;

import static org.junit.Assert.assertEquals;

import java.util.UUID;
import org.junit.Test;

public class UuidPrefixTest {
    @Test
    public void makesShortNames() {
        String name = "job-" + UUID.randomUUID(); // flaky: PLR303
        assertEquals("job-0", name.substring(0, 5));
        //~ assertEquals(40, name.length());
    }
}
