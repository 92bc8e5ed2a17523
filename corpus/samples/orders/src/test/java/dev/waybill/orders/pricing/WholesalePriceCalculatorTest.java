package dev.waybill.orders.pricing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.waybill.orders.Money;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class WholesalePriceCalculatorTest extends AbstractPriceCalculatorTest {

    @Override
    protected PriceCalculator newCalculator() {
        return new WholesalePriceCalculator(new BigDecimal("0.25"));
    }

    @Test
    void rebateIsTakenOff() {
        assertEquals(Money.of("30.00", "EUR"), calculator.price(order));
    }
}
