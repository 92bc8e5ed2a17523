package dev.waybill.orders;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

public final class OrderId implements Comparable<OrderId> {

    private final UUID value;

    private OrderId(UUID value) {
        this.value = value;
    }

    public static OrderId next() {
        return new OrderId(UUID.randomUUID());
    }

    /** Ids of imported orders are derived from the reference the shop gave them. */
    public static OrderId fromReference(String reference) {
        return new OrderId(UUID.nameUUIDFromBytes(reference.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public int compareTo(OrderId other) {
        return value.compareTo(other.value);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof OrderId && ((OrderId) o).value.equals(value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
