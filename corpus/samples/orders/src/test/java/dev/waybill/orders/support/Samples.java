package dev.waybill.orders.support;

import dev.waybill.orders.Money;
import dev.waybill.orders.Order;
import dev.waybill.orders.OrderId;
import dev.waybill.orders.OrderLine;
import dev.waybill.orders.OrderStatus;
import dev.waybill.orders.Sku;
import java.time.Instant;

public final class Samples {

    private Samples() {
    }

    public static OrderLine tea(int quantity) {
        return new OrderLine(Sku.parse("TEA-0042"), quantity, Money.of("4.50", "EUR"));
    }

    public static OrderLine pot() {
        return new OrderLine(Sku.parse("POT-0007"), 1, Money.of("31.00", "EUR"));
    }

    public static Order placedAt(String instant) {
        return new Order(OrderId.fromReference("sample"), "anna", Instant.parse(instant), OrderStatus.PLACED);
    }
}
