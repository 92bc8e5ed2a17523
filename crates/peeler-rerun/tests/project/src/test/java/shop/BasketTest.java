package shop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BasketTest {
    @Test
    void fillsTheCart() {
        Cart.add("apple");
        assertTrue(Cart.size() > 0);
    }
}
