// route: helper
// settled: @TempDir
package example.deleteonexithelper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeleteOnExitHelperTest {
    @TempDir
    File folder;

    private File file(String name) throws IOException {
        File file = new File("/tmp", name);
        //~ File file = new File(folder, name);
        Files.write(file.toPath(), new byte[0]);
        file.deleteOnExit(); // flaky: PLR605
        //~
        return file;
    }

    @Test
    void isEmpty() throws Exception {
        assertEquals(0, file("empty.txt").length());
    }
}
