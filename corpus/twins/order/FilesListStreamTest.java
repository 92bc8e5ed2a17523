// route: lambda
// settled: sorted stream
package example.filesliststream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesListStreamTest {
    @TempDir
    Path folder;

    @Test
    void listsReports() throws Exception {
        Files.writeString(folder.resolve("q1.csv"), "1");
        Files.writeString(folder.resolve("q2.csv"), "2");
        try (Stream<Path> files = Files.list(folder)) { // flaky: PLR106
            Stream<String> unsorted = files.map(file -> file.getFileName().toString());
            List<String> names = unsorted.collect(Collectors.toList());
            //~ List<String> names = unsorted.sorted().collect(Collectors.toList());
            assertEquals(List.of("q1.csv", "q2.csv"), names);
        }
    }
}
