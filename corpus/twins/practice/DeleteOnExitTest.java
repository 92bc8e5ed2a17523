// route: body
// settled: deleted in the test
package example.deleteonexit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import org.junit.Test;

public class DeleteOnExitTest {
    @Test
    public void writesFile() throws Exception {
        File file = File.createTempFile("data", ".bin");
        file.deleteOnExit(); // flaky: PLR605
        //~
        assertEquals(0, file.length());
        //+ assertTrue(file.delete());
    }
}
