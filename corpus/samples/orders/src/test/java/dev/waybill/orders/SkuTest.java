package dev.waybill.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.waybill.orders.support.FastTest;

class SkuTest {

    @FastTest
    void parsesFamilyAndNumber() {
        Sku sku = Sku.parse(" tea-0042 ");
        assertEquals("TEA", sku.family());
        assertEquals(42, sku.number());
    }

    @FastTest
    void rejectsShortNumbers() {
        assertThrows(IllegalArgumentException.class, () -> Sku.parse("TEA-42"));
    }

    @FastTest
    void provisionalSkuKeepsTheFamily() {
        assertEquals("POT", Sku.provisional("POT").family());
    }

    @FastTest
    void provisionalSkusDoNotCollide() {
        assertNotEquals(Sku.provisional("POT"), Sku.provisional("POT"));
    }
}
