package dev.waybill.orders.pricing;

import dev.waybill.orders.Money;
import dev.waybill.orders.Order;
import java.util.Map;

public interface PriceCalculator {

    Money price(Order order);

    /** The parts that make up the price, by name. */
    Map<String, Money> breakdown(Order order);
}
