package dev.waybill.orders.invoice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class InvoiceNumbersTest {

    @Test
    void firstNumberIsOne() {
        assertEquals(1, InvoiceNumbers.next());
    }

    @Test
    void numbersAreConsecutive() {
        int number = InvoiceNumbers.next();
        assertEquals(number + 1, InvoiceNumbers.next());
    }
}
