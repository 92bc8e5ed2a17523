package dev.waybill.orders.pricing;

import dev.waybill.orders.Money;
import dev.waybill.orders.Order;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;

public final class RetailPriceCalculator implements PriceCalculator {

    private final BigDecimal taxRate;
    private final DiscountPolicy discounts;

    public RetailPriceCalculator(BigDecimal taxRate, DiscountPolicy discounts) {
        this.taxRate = taxRate;
        this.discounts = discounts;
    }

    @Override
    public Money price(Order order) {
        Map<String, Money> parts = breakdown(order);
        return parts.get("goods").minus(parts.get("discount")).plus(parts.get("tax"));
    }

    @Override
    public Map<String, Money> breakdown(Order order) {
        Money net = order.total("EUR");
        Money discount = net.times(discounts.rateFor(order));
        Map<String, Money> parts = new HashMap<>();
        parts.put("goods", net);
        parts.put("discount", discount);
        parts.put("tax", net.minus(discount).times(taxRate));
        return parts;
    }
}
