package dev.waybill.orders.pricing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.waybill.orders.Money;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class RetailPriceCalculatorTest extends AbstractPriceCalculatorTest {

    @Override
    protected PriceCalculator newCalculator() {
        return new RetailPriceCalculator(new BigDecimal("0.20"), new SeasonalDiscount(2022));
    }

    @Test
    void taxIsChargedOnTheDiscountedAmount() {
        assertEquals(Money.of("4.00", "EUR"), calculator.breakdown(order).get("discount"));
        assertEquals(Money.of("7.20", "EUR"), calculator.breakdown(order).get("tax"));
        assertEquals(Money.of("43.20", "EUR"), calculator.price(order));
    }
}
