// route: code under test, 3 calls
// settled: compared as sets
package example.directorystream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Plugins {
    List<String> names(Path folder) throws IOException {
        return new PluginLoader().load(folder);
    }
}

class PluginLoader {
    List<String> load(Path folder) throws IOException {
        return new PluginScanner().scan(folder);
    }
}

class PluginScanner {
    List<String> scan(Path folder) throws IOException {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jar")) { // flaky: PLR106
            for (Path file : files) {
                found.add(file.getFileName().toString());
            }
        }
        return found;
    }
}

class DirectoryStreamTest {
    @TempDir
    Path folder;

    @Test
    void findsPlugins() throws Exception {
        Files.createFile(folder.resolve("one.jar"));
        Files.createFile(folder.resolve("two.jar"));
        List<String> plugins = new Plugins().names(folder);
        assertEquals(List.of("one.jar", "two.jar"), plugins);
        //~ assertEquals(Set.of("one.jar", "two.jar"), Set.copyOf(plugins));
    }
}
