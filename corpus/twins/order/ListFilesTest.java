// route: code under test, 1 call
// settled: sort
package example.listfiles;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFolder {
    private final File folder;

    LogFolder(File folder) {
        this.folder = folder;
    }

    List<String> logs() {
        List<String> logs = new ArrayList<>();
        for (File file : folder.listFiles()) { // flaky: PLR106
            logs.add(file.getName());
        }
        //+ Collections.sort(logs);
        return logs;
    }
}

class ListFilesTest {
    @TempDir
    Path folder;

    @Test
    void findsLogs() throws Exception {
        Files.createFile(folder.resolve("jan.log"));
        Files.createFile(folder.resolve("feb.log"));
        assertEquals(List.of("feb.log", "jan.log"), new LogFolder(folder.toFile()).logs());
    }
}
