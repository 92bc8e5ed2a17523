package dev.waybill.orders;

public enum OrderStatus {
    DRAFT,
    PLACED,
    SHIPPED,
    CANCELLED;

    public boolean isOpen() {
        return this == DRAFT || this == PLACED;
    }
}
