package dev.waybill.orders.pricing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.waybill.orders.Money;
import dev.waybill.orders.Order;
import dev.waybill.orders.support.Samples;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class AbstractPriceCalculatorTest {

    protected PriceCalculator calculator;
    protected Order order;

    protected abstract PriceCalculator newCalculator();

    @BeforeEach
    void prepareOrder() {
        calculator = newCalculator();
        order = Samples.placedAt("2022-12-05T09:30:00Z").add(Samples.tea(2)).add(Samples.pot());
    }

    @Test
    void emptyOrderCostsNothing() {
        assertTrue(calculator.price(Samples.placedAt("2022-12-05T09:30:00Z")).isZero());
    }

    @Test
    void goodsPartIsTheOrderTotal() {
        assertEquals(Money.of("40.00", "EUR"), calculator.breakdown(order).get("goods"));
    }

    @Test
    void breakdownStartsWithTheGoods() {
        assertEquals("goods", calculator.breakdown(order).keySet().iterator().next());
    }
}
