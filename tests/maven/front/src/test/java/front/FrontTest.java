package front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class FrontTest {
    @Test
    void isGreeted() {
        assertEquals("hello ada1", new Front().greeting("ada"));
    }

    @Test
    void hasNoSettingsOfItsNeighbour() {
        assertNull(System.getProperty("shelf.name"));
    }
}
