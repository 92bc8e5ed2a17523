// route: body
// settled: TemporaryFolder
package example.deleteonexit;

import static org.junit.Assert.assertTrue;

import java.io.File;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class DeleteOnExitTest {
    @Rule
    public TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void writesFile() throws Exception {
        File file = new File("exported-data.bin");
        //~ File file = new File(folder.getRoot(), "exported-data.bin");
        file.deleteOnExit(); // flaky: PLR605
        //~
        assertTrue(file.createNewFile());
    }
}
