package dev.waybill.orders.invoice;

/** Consecutive invoice numbers of this process. */
public final class InvoiceNumbers {

    private static int last;

    private InvoiceNumbers() {
    }

    public static synchronized int next() {
        return ++last;
    }

    public static synchronized void startAfter(int number) {
        last = number;
    }
}
