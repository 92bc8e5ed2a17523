// route: code under test, 1 call
// settled: @TempDir
package example.exportleft;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Export {
    void write(Path file, String text) throws IOException {
        Files.writeString(file, text); // flaky: PLR505
    }
}

class ExportLeftTest {
    @TempDir
    Path folder;

    @Test
    void exports() throws Exception {
        Path file = Path.of("export-left.txt"); // flaky: PLR505
        //~ Path file = folder.resolve("export-left.txt");
        new Export().write(file, "x"); // flaky: PLR505
        assertTrue(Files.exists(file));
    }

    @Test
    void hasNoExportYet() {
        assertFalse(Files.exists(Path.of("export-left.txt")));
        //~ assertFalse(Files.exists(folder.resolve("export-left.txt")));
    }
}
