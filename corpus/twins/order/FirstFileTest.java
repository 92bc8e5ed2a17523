// route: helper
// settled: looked up by name
package example.firstfile;

import static org.junit.Assert.assertEquals;

import java.io.File;
import java.io.IOException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class FirstFileTest {
    @Rule
    public TemporaryFolder folder = new TemporaryFolder();

    private File written() throws IOException {
        folder.newFile("x.bin");
        folder.newFile("y.bin");
        return folder.getRoot().listFiles()[0]; // flaky: PLR106
        //~ return new File(folder.getRoot(), "x.bin");
    }

    @Test
    public void writesFirst() throws Exception {
        assertEquals("x.bin", written().getName());
    }
}
