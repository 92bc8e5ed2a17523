package dev.waybill.orders.invoice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.waybill.orders.Money;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class InvoiceFormatterTest {

    private static final Money TOTAL = Money.of("40.00", "EUR");
    private static final Instant ISSUED = Instant.parse("2021-03-01T00:30:00Z");

    private final InvoiceFormatter formatter = new InvoiceFormatter();

    @Test
    void headerShowsTheNumber() {
        assertEquals("Invoice no. 1", formatter.header(Invoice.issue(ISSUED, TOTAL)));
    }

    @Test
    void headerOfReprintShowsTheOldNumber() {
        assertEquals("Invoice no. 815", formatter.header(Invoice.reprint(815, ISSUED, TOTAL)));
    }

    @Test
    void showsIssueDate() {
        assertEquals("2021-03-01 00:30", formatter.issueDate(Invoice.reprint(7, ISSUED, TOTAL)));
    }

    @Test
    void showsIssueDateAtTheShop() {
        Invoice invoice = Invoice.reprint(7, ISSUED, TOTAL);
        assertEquals("2021-02-28 19:30", formatter.issueDate(invoice, ZoneId.of("America/New_York")));
    }

    @Test
    void showsPeriod() {
        assertEquals("March 2021", formatter.period(Invoice.reprint(7, ISSUED, TOTAL), ZoneOffset.UTC));
    }

    @Test
    void showsPeriodInCustomerLanguage() {
        Invoice invoice = Invoice.reprint(7, ISSUED, TOTAL);
        assertEquals("March 2021", formatter.period(invoice, ZoneOffset.UTC, Locale.ENGLISH));
        assertEquals("März 2021", formatter.period(invoice, ZoneOffset.UTC, Locale.GERMAN));
    }

    @Test
    void showsTaxRate() {
        assertEquals("incl. 7.5% VAT", formatter.taxNote(new BigDecimal("0.075")));
    }

    @Test
    void showsTaxRateInCustomerLanguage() {
        assertEquals("incl. 7,5% VAT", formatter.taxNote(new BigDecimal("0.075"), Locale.GERMANY));
    }

    @Test
    void titleIsInCapitals() {
        assertEquals("INVOICE", formatter.title("Invoice"));
    }

    @Test
    void fileNameHoldsNumberAndCustomer() {
        assertEquals("815-anna.txt", formatter.fileName(Invoice.reprint(815, ISSUED, TOTAL), "anna"));
    }
}
