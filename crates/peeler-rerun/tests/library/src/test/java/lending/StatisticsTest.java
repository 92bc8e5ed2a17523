package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatisticsTest {
    @Test
    void meanOfNothingIsZero() {
        assertEquals(0.0, Statistics.mean(List.of()), 1e-9);
    }

    @Test
    void meanIsTheSumOverTheCount() {
        assertEquals(2.5, Statistics.mean(List.of(1, 2, 3, 4)), 1e-9);
    }

    @Test
    void medianIsInTheMiddle() {
        assertEquals(3, Statistics.median(List.of(9, 1, 3)));
    }

    @Test
    void booksAreCountedByDecade() {
        List<Book> books = List.of(new Book("Ulysses", "Joyce", 1922), new Book("The Trial", "Kafka", 1925));
        assertEquals(Map.of(1920, 2), Statistics.booksByDecade(books));
    }

    @Test
    void percentIsRounded() {
        assertEquals(67, Statistics.percent(2, 3));
        assertEquals(0, Statistics.percent(1, 0));
    }
}
