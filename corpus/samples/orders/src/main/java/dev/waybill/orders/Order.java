package dev.waybill.orders;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public final class Order {

    private final OrderId id;
    private final String customer;
    private final long placedAtMillis;
    private final List<OrderLine> lines = new ArrayList<>();
    private final Map<String, String> attributes = new HashMap<>();
    private OrderStatus status;

    public Order(OrderId id, String customer, Instant placedAt, OrderStatus status) {
        this.id = id;
        this.customer = customer;
        this.placedAtMillis = placedAt.toEpochMilli();
        this.status = status;
    }

    /** A fresh draft, stamped with the current time. */
    public static Order draft(String customer) {
        Instant now = Instant.ofEpochMilli(System.currentTimeMillis());
        return new Order(OrderId.next(), customer, now, OrderStatus.DRAFT);
    }

    public Order add(OrderLine line) {
        lines.add(line);
        return this;
    }

    public Order with(String attribute, String value) {
        attributes.put(attribute, value);
        return this;
    }

    public void cancel() {
        if (status == OrderStatus.SHIPPED) {
            throw new IllegalStateException("Order " + id + " has left the warehouse");
        }
        status = OrderStatus.CANCELLED;
    }

    public OrderId id() {
        return id;
    }

    public String customer() {
        return customer;
    }

    public Instant placedAt() {
        return Instant.ofEpochMilli(placedAtMillis);
    }

    public long placedAtMillis() {
        return placedAtMillis;
    }

    public OrderStatus status() {
        return status;
    }

    public List<OrderLine> lines() {
        return Collections.unmodifiableList(lines);
    }

    public Map<String, String> attributes() {
        return Collections.unmodifiableMap(attributes);
    }

    public Money total(String currency) {
        Money sum = Money.zero(currency);
        for (OrderLine line : lines) {
            sum = sum.plus(line.total());
        }
        return sum;
    }
}
