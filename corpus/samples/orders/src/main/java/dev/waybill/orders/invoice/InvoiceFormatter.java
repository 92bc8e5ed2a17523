package dev.waybill.orders.invoice;

import java.math.BigDecimal;
import java.text.SimpleDateFormat;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Date;
import java.util.Locale;

public final class InvoiceFormatter {

    public String title(String kind) {
        return kind.toUpperCase();
    }

    public String header(Invoice invoice) {
        return "Invoice no. " + invoice.number();
    }

    public String issueDate(Invoice invoice) {
        return new SimpleDateFormat("yyyy-MM-dd HH:mm").format(Date.from(invoice.issuedAt()));
    }

    public String issueDate(Invoice invoice, ZoneId zone) {
        return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(zone).format(invoice.issuedAt());
    }

    public String period(Invoice invoice, ZoneId zone) {
        return DateTimeFormatter.ofPattern("MMMM yyyy").format(invoice.issuedAt().atZone(zone));
    }

    public String period(Invoice invoice, ZoneId zone, Locale locale) {
        return DateTimeFormatter.ofPattern("MMMM yyyy", locale).format(invoice.issuedAt().atZone(zone));
    }

    public String taxNote(BigDecimal rate) {
        return String.format("incl. %.1f%% VAT", rate.movePointRight(2));
    }

    public String taxNote(BigDecimal rate, Locale locale) {
        return String.format(locale, "incl. %.1f%% VAT", rate.movePointRight(2));
    }

    public String fileName(Invoice invoice, String customer) {
        return String.format("%s-%s.txt", invoice.number(), customer);
    }
}
