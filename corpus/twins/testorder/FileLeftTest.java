// route: body
// settled: TemporaryFolder
package example.fileleft;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.FileWriter;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class FileLeftTest {
    private static final String NAME = "settings-left.properties";

    @Rule
    public TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void saves() throws Exception {
        File file = new File(NAME); // flaky: PLR505
        //~ File file = new File(folder.getRoot(), NAME);
        try (FileWriter out = new FileWriter(file)) { // flaky: PLR505
            out.write("a=1");
        }
        assertTrue(file.exists());
    }

    @Test
    public void hasNoSettingsYet() {
        assertFalse(new File(NAME).exists());
        //~ assertFalse(new File(folder.getRoot(), NAME).exists());
    }
}
