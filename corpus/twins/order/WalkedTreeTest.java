// route: setup
// settled: count
package example.walkedtree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WalkedTreeTest {
    @TempDir
    Path folder;
    private List<Path> files;

    @BeforeEach
    void walk() throws IOException {
        Files.createFile(folder.resolve("a"));
        Files.createFile(folder.resolve("b"));
        try (Stream<Path> walk = Files.walk(folder)) { // flaky: PLR106
            files = walk.filter(Files::isRegularFile).collect(Collectors.toList());
        }
    }

    @Test
    void findsFiles() {
        assertEquals("a", files.get(0).getFileName().toString());
        //~ assertEquals(2, files.size());
    }
}
