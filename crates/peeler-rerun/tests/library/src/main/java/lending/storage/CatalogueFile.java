package lending.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import lending.Book;
import lending.CsvRow;

/** The catalogue on disk, a book a line. */
public final class CatalogueFile {
    private final Path path;

    public CatalogueFile(Path path) {
        this.path = path;
    }

    public List<Book> read() throws IOException {
        if (!Files.exists(path)) {
            return new ArrayList<>();
        }
        return Files.readAllLines(path).stream()
                .filter(it -> !it.isBlank())
                .map(it -> CsvRow.parse(it).toBook())
                .collect(Collectors.toList());
    }

    public void write(List<Book> books) throws IOException {
        List<String> lines = books.stream()
                .map(it -> "\"" + it.title().replace("\"", "\"\"") + "\"," + it.author() + "," + it.year())
                .collect(Collectors.toList());
        Path unfinished = path.resolveSibling(path.getFileName() + ".tmp");
        Files.write(unfinished, lines);
        Files.move(unfinished, path, StandardCopyOption.REPLACE_EXISTING);
    }
}
