package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SaleTest {
    @Test
    void halvesPrices() {
        Price.discount(50);
        assertEquals(50, Price.of(100));
    }
}
