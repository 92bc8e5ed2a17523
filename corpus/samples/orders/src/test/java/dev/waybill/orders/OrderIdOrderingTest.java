package dev.waybill.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.waybill.orders.support.ComparableContract;
import org.junit.jupiter.api.Test;

class OrderIdOrderingTest implements ComparableContract<OrderId> {

    @Override
    public OrderId lower() {
        return OrderId.next();
    }

    @Override
    public OrderId higher() {
        return OrderId.next();
    }

    @Test
    void newIdsAreDistinct() {
        assertNotEquals(OrderId.next(), OrderId.next());
    }

    @Test
    void sameReferenceGivesSameId() {
        assertEquals(OrderId.fromReference("shop-17"), OrderId.fromReference("shop-17"));
    }
}
