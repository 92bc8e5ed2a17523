package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PriceTest {
    @Test
    void isFull() {
        assertEquals(100, Price.of(100));
    }
}
