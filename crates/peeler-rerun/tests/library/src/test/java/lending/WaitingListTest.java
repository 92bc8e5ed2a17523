package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class WaitingListTest {
    private final WaitingList list = new WaitingList();

    @Test
    void firstComesFirst() {
        list.join("Ada");
        list.join("Ben");
        assertEquals("Ada", list.next());
        assertEquals("Ben", list.next());
    }

    @Test
    void placeMovesUp() {
        list.join("Ada");
        list.join("Ben");
        assertEquals(2, list.place("Ben"));
        list.next();
        assertEquals(1, list.place("Ben"));
    }

    @Test
    void strangerHasNoPlace() {
        assertEquals(0, list.place("Eve"));
    }

    @Test
    void nobodyWaitsTwice() {
        list.join("Ada");
        assertThrows(IllegalArgumentException.class, () -> list.join("Ada"));
    }

    @Test
    void emptyListHasNoNext() {
        assertThrows(NoSuchElementException.class, list::next);
    }
}
