package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CartTest {
    @Test
    void startsEmpty() {
        assertEquals(0, Cart.size());
    }
}
