package dev.waybill.orders;

import dev.waybill.orders.support.ComparableContract;

class MoneyOrderingTest implements ComparableContract<Money> {

    @Override
    public Money lower() {
        return Money.of("9.99", "EUR");
    }

    @Override
    public Money higher() {
        return Money.of("10.00", "EUR");
    }
}
