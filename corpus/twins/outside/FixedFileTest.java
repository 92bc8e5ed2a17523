// route: body
// settled: TemporaryFolder
package example.fixedfile;

import static org.junit.Assert.assertEquals;

import java.io.File;
import java.nio.file.Files;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class FixedFileTest {
    @Rule
    public TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void writesText() throws Exception {
        File file = new File("/tmp/report.txt"); // flaky: PLR403
        //~ File file = folder.newFile("report.txt");
        Files.writeString(file.toPath(), "ok"); // flaky: PLR403
        assertEquals("ok", Files.readString(file.toPath()));
        file.delete();
    }
}
