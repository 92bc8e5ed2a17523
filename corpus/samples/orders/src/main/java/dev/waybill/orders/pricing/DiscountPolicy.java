package dev.waybill.orders.pricing;

import dev.waybill.orders.Order;
import java.math.BigDecimal;

@FunctionalInterface
public interface DiscountPolicy {

    BigDecimal rateFor(Order order);

    static DiscountPolicy none() {
        return order -> BigDecimal.ZERO;
    }
}
