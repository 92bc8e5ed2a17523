// route: setup
// settled: createTempFile, deleted in teardown
package example.deleteonexitsetup;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeleteOnExitSetupTest {
    private File file;

    @BeforeEach
    void create() throws IOException {
        file = new File("setup-input.dat");
        //~ file = File.createTempFile("input", ".dat");
        file.createNewFile();
        file.deleteOnExit(); // flaky: PLR605
        //~
    }

    @AfterEach
    void close() {
        assertNotNull(file);
        //~ assertTrue(file.delete());
    }

    @Test
    void exists() {
        assertTrue(file.exists());
    }
}
