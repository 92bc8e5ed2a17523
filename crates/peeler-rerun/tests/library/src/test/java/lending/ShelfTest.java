package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ShelfTest {
    private Shelf shelf;

    @BeforeEach
    void fill() {
        shelf = new Shelf(3);
        shelf.put(new Book("The Trial", "Kafka", 1925));
        shelf.put(new Book("Emma", "Austen", 1815));
    }

    @Test
    void booksAreSortedByTitle() {
        assertEquals(List.of("Emma", "The Trial"), shelf.titles());
    }

    @Test
    void bookIsFound() {
        assertEquals("Kafka", shelf.find("The Trial").orElseThrow().author());
        assertTrue(shelf.find("Ulysses").isEmpty());
    }

    @Test
    void bookIsRemoved() {
        assertTrue(shelf.remove("Emma"));
        assertFalse(shelf.remove("Emma"));
        assertEquals(1, shelf.size());
    }

    @Test
    void newBooksAreListed() {
        assertEquals(1, shelf.since(1900).size());
        assertEquals("The Trial (Kafka, 1925)", shelf.since(1900).get(0).toString());
    }

    @Test
    void fullShelfTakesNoBook() {
        shelf.put(new Book("Ulysses", "Joyce", 1922));
        assertThrows(IllegalStateException.class, () -> shelf.put(new Book("Dubliners", "Joyce", 1914)));
    }
}
