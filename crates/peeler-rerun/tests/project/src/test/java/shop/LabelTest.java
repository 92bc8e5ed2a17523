package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LabelTest {
    @Test
    void isInCapitals() {
        assertEquals("MILK", "milk".toUpperCase());
    }
}
