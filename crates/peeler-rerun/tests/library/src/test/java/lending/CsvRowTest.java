package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class CsvRowTest {
    @Test
    void cellsAreBetweenCommas() {
        CsvRow row = CsvRow.parse("Emma,Austen,1815");
        assertEquals(3, row.size());
        assertEquals("Austen", row.get(1));
    }

    @Test
    void emptyCellsCount() {
        assertEquals(4, CsvRow.parse(",a,,").size());
    }

    @Test
    void quotesHoldCommasTogether() {
        assertEquals("Kafka, Franz", CsvRow.parse("The Trial,\"Kafka, Franz\",1925").get(1));
    }

    @Test
    void doubledQuoteIsOne() {
        assertEquals("say \"no\"", CsvRow.parse("\"say \"\"no\"\"\"").get(0));
    }

    @Test
    void openQuoteIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> CsvRow.parse("\"Emma,Austen"));
    }

    @Test
    void rowBecomesABook() {
        Book book = CsvRow.parse("Emma,Austen, 1815").toBook();
        assertEquals("Emma (Austen, 1815)", book.toString());
    }

    @Test
    void yearMustBeANumber() {
        assertThrows(NumberFormatException.class, () -> CsvRow.parse("Emma,Austen,long ago").toBook());
    }
}
