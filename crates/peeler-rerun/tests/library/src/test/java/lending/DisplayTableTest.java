package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class DisplayTableTest {
    private final List<String> titles = List.of("Emma", "Ulysses");
    private final DisplayTable table = new DisplayTable(titles);

    @Test
    void noBookIsLost() {
        table.rearrange();
        assertEquals(2, table.titles().size());
        assertTrue(table.titles().containsAll(titles));
    }

    @Test
    void anotherBookLiesInFront() {
        table.rearrange();
        assertNotEquals("Emma", table.titles().get(0));
    }
}
