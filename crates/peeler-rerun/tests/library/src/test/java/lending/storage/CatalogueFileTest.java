package lending.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import lending.Book;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogueFileTest {
    @TempDir
    Path folder;

    @Test
    void missingFileIsAnEmptyCatalogue() throws IOException {
        assertTrue(new CatalogueFile(folder.resolve("none.csv")).read().isEmpty());
    }

    @Test
    void booksComeBack() throws IOException {
        CatalogueFile file = new CatalogueFile(folder.resolve("books.csv"));
        file.write(List.of(new Book("Emma", "Austen", 1815), new Book("Ulysses", "Joyce", 1922)));
        List<Book> books = file.read();
        assertEquals(2, books.size());
        assertEquals("Ulysses (Joyce, 1922)", books.get(1).toString());
    }

    @Test
    void quotesInTitlesComeBack() throws IOException {
        CatalogueFile file = new CatalogueFile(folder.resolve("books.csv"));
        file.write(List.of(new Book("The \"Trial\", again", "Kafka", 1925)));
        assertEquals("The \"Trial\", again", file.read().get(0).title());
    }

    @Test
    void emptyLinesAreSkipped() throws IOException {
        Path path = Files.write(folder.resolve("books.csv"), List.of("", "Emma,Austen,1815", " "));
        assertEquals(1, new CatalogueFile(path).read().size());
    }

    @Test
    void unfinishedFileIsGone() throws IOException {
        new CatalogueFile(folder.resolve("books.csv")).write(List.of());
        assertFalse(Files.exists(folder.resolve("books.csv.tmp")));
        assertTrue(Files.exists(folder.resolve("books.csv")));
    }

    @Test
    void brokenLineIsAnError() throws IOException {
        Path path = Files.write(folder.resolve("books.csv"), List.of("Emma,Austen"));
        assertThrows(IndexOutOfBoundsException.class, () -> new CatalogueFile(path).read());
    }
}
