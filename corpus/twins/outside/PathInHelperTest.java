// route: helper
// settled: @TempDir
package example.pathinhelper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PathInHelperTest {
    @TempDir
    Path folder;

    private Path write(Path file) throws IOException {
        return Files.writeString(file, "1,2"); // flaky: PLR403
    }

    @Test
    void writes() throws Exception {
        Path file = write(Path.of("/tmp/numbers.csv")); // flaky: PLR403
        //~ Path file = write(folder.resolve("numbers.csv"));
        assertEquals(3, Files.size(file));
        Files.delete(file);
    }
}
