package dev.waybill.orders;

import java.util.Objects;

public final class OrderLine {

    private final Sku sku;
    private final int quantity;
    private final Money unitPrice;

    public OrderLine(Sku sku, int quantity, Money unitPrice) {
        if (quantity < 1) {
            throw new IllegalArgumentException("quantity: " + quantity);
        }
        this.sku = Objects.requireNonNull(sku, "sku");
        this.quantity = quantity;
        this.unitPrice = Objects.requireNonNull(unitPrice, "unitPrice");
    }

    public Sku sku() {
        return sku;
    }

    public int quantity() {
        return quantity;
    }

    public Money unitPrice() {
        return unitPrice;
    }

    public Money total() {
        return unitPrice.times(quantity);
    }
}
