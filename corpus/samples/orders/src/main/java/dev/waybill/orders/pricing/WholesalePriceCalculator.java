package dev.waybill.orders.pricing;

import dev.waybill.orders.Money;
import dev.waybill.orders.Order;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/** Wholesale prices carry the tax of the reverse charge scheme, that is none. */
public final class WholesalePriceCalculator implements PriceCalculator {

    private final BigDecimal rebate;

    public WholesalePriceCalculator(BigDecimal rebate) {
        this.rebate = rebate;
    }

    @Override
    public Money price(Order order) {
        Money net = order.total("EUR");
        return net.minus(net.times(rebate));
    }

    @Override
    public Map<String, Money> breakdown(Order order) {
        Money net = order.total("EUR");
        Map<String, Money> parts = new LinkedHashMap<>();
        parts.put("goods", net);
        parts.put("discount", net.times(rebate));
        parts.put("tax", Money.zero("EUR"));
        return parts;
    }
}
