// route: body
// settled: deleted in teardown
package example.fileleft;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.FileWriter;
import org.junit.After;
import org.junit.Test;

public class FileLeftTest {
    private static final String NAME = "settings-left.properties";

    //+ @After
    //+ public void delete() {
    //+     new File("target", NAME).delete();
    //+ }
    //+
    @Test
    public void saves() throws Exception {
        File file = new File("target", NAME); // flaky: PLR505
        file.getParentFile().mkdirs();
        try (FileWriter out = new FileWriter(file)) { // flaky: PLR505
            out.write("a=1");
        }
        assertTrue(file.exists());
    }

    @Test
    public void hasNoSettingsYet() {
        assertFalse(new File("target", NAME).exists());
    }
}
