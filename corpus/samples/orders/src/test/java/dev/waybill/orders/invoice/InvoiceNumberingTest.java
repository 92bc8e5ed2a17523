package dev.waybill.orders.invoice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.waybill.orders.Money;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InvoiceNumberingTest {

    @BeforeEach
    void startOver() {
        InvoiceNumbers.startAfter(0);
    }

    @Test
    void firstInvoiceIsNumberOne() {
        assertEquals(1, issue().number());
    }

    @Test
    void nextInvoiceIsNumberTwo() {
        issue();
        assertEquals(2, issue().number());
    }

    @Test
    void numberingContinuesAfterImport() {
        InvoiceNumbers.startAfter(4100);
        assertEquals(4101, issue().number());
    }

    private static Invoice issue() {
        return Invoice.issue(Instant.EPOCH, Money.of("12.00", "EUR"));
    }
}
