// route: helper
// settled: @TempDir
package example.deleteonexithelper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeleteOnExitHelperTest {
    @TempDir
    File folder;

    private File file(String name) throws IOException {
        File file = File.createTempFile(name, ".txt");
        //~ File file = new File(folder, name + ".txt");
        file.deleteOnExit(); // flaky: PLR605
        //~
        return file;
    }

    @Test
    void isEmpty() throws Exception {
        assertEquals(0, file("empty").length());
    }
}
