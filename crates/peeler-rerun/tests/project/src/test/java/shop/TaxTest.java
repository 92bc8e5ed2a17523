package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TaxTest {
    @Test
    void roundsUp() {
        assertEquals(8, Tax.of(101));
    }
}
