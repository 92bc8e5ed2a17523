package dev.waybill.orders.invoice;

import dev.waybill.orders.Money;
import java.time.Instant;

public final class Invoice {

    private final int number;
    private final Instant issuedAt;
    private final Money total;

    private Invoice(int number, Instant issuedAt, Money total) {
        this.number = number;
        this.issuedAt = issuedAt;
        this.total = total;
    }

    public static Invoice issue(Instant at, Money total) {
        return new Invoice(InvoiceNumbers.next(), at, total);
    }

    public static Invoice reprint(int number, Instant at, Money total) {
        return new Invoice(number, at, total);
    }

    public int number() {
        return number;
    }

    public Instant issuedAt() {
        return issuedAt;
    }

    public Money total() {
        return total;
    }
}
