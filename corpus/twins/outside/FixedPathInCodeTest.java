// route: code under test, 1 call
// settled: createTempDirectory
package example.fixedpathincode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.junit.jupiter.api.Test;

class Journal {
    private final Path file;

    Journal(Path folder) {
        file = folder.resolve("journal.txt");
    }

    void write(String line) throws IOException {
        Files.writeString(file, line); // flaky: PLR403
    }

    String read() throws IOException {
        return Files.readString(file);
    }

    void delete() throws IOException {
        Files.deleteIfExists(file);
    }
}

class FixedPathInCodeTest {
    @Test
    void writesJournal() throws Exception {
        Journal journal = new Journal(Paths.get("/var/tmp")); // flaky: PLR403
        //~ Journal journal = new Journal(Files.createTempDirectory("journal"));
        journal.write("day one");
        assertEquals("day one", journal.read());
        journal.delete();
    }
}
