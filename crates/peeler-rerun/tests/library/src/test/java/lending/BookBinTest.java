package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class BookBinTest {
    private final BookBin bin = new BookBin(1);

    @Test
    void droppedBookIsTaken() throws InterruptedException {
        bin.drop("Emma");
        assertEquals("Emma", bin.take(1000));
    }

    @Test
    void fullBinTakesNoMore() {
        bin.drop("Emma");
        assertFalse(bin.drop("Ulysses"));
    }

    @Test
    void nobodyBringsABook() throws InterruptedException {
        assertNull(bin.take(10));
    }

    @Test
    void bookOfAnotherThreadIsTaken() throws InterruptedException {
        Thread member = new Thread(() -> bin.drop("Emma"));
        member.start();
        assertEquals("Emma", bin.take(10_000));
        member.join();
    }
}
