// route: setup
// settled: @TempDir
package example.fixedpath;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FixedPathTest {
    @TempDir
    Path temporary;
    private Path output;

    @BeforeEach
    void choose() {
        output = Paths.get("build-output.log"); // flaky: PLR403
        //~ output = temporary.resolve("build-output.log");
    }

    @AfterEach
    void delete() throws IOException {
        Files.deleteIfExists(output);
    }

    @Test
    void logs() throws Exception {
        Files.write(output, List.of("started")); // flaky: PLR403
        assertEquals(List.of("started"), Files.readAllLines(output));
    }
}
