package dev.waybill.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.waybill.orders.support.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OrderTest {

    @Test
    void totalIsTheSumOfAllLines() {
        Order order = Samples.placedAt("2022-05-04T10:00:00Z").add(Samples.tea(2)).add(Samples.pot());
        assertEquals(Money.of("40.00", "EUR"), order.total("EUR"));
    }

    @Test
    void draftIsStampedWithTheCurrentTime() {
        Order draft = Order.draft("anna");
        assertEquals(System.currentTimeMillis(), draft.placedAtMillis());
    }

    @Test
    void draftIsNotStampedBeforeTheCall() {
        long before = System.currentTimeMillis();
        Order draft = Order.draft("anna");
        assertTrue(draft.placedAtMillis() >= before);
        assertTrue(draft.placedAtMillis() <= System.currentTimeMillis());
    }

    @Test
    void keepsTheInstantItWasPlacedAt() {
        Instant instant = Instant.parse("2022-05-04T10:00:00Z");
        Order order = new Order(OrderId.next(), "anna", instant, OrderStatus.PLACED);
        assertEquals(instant, order.placedAt());
    }

    @Test
    void cancelledOrderIsNotOpen() {
        Order order = Order.draft("anna");
        order.cancel();
        assertEquals(OrderStatus.CANCELLED, order.status());
        assertTrue(!order.status().isOpen());
    }

    @Test
    void shippedOrderCannotBeCancelled() {
        Order order = new Order(OrderId.next(), "anna", Instant.EPOCH, OrderStatus.SHIPPED);
        assertThrows(IllegalStateException.class, order::cancel);
    }

    @Test
    void printsAttributes() {
        Order order = Order.draft("anna").with("channel", "web").with("campaign", "spring").with("gift", "yes");
        assertEquals("{gift=yes, channel=web, campaign=spring}", order.attributes().toString());
    }

    @Test
    void printsOnlyAttribute() {
        Order order = Order.draft("anna").with("channel", "web");
        assertEquals("{channel=web}", order.attributes().toString());
    }

    @Test
    void laterAttributeReplacesEarlierOne() {
        Order order = Order.draft("anna").with("channel", "web").with("gift", "yes").with("channel", "phone");
        Map<String, String> expected = new HashMap<>();
        expected.put("gift", "yes");
        expected.put("channel", "phone");
        assertEquals(expected, order.attributes());
    }

    @Test
    void totalsALargeOrderInNoTime() {
        Order order = Order.draft("anna");
        for (int i = 0; i < 20_000; i++) {
            order.add(Samples.tea(1 + i % 7));
        }
        assertTimeout(Duration.ofMillis(60), () -> order.total("EUR"));
    }

    @Test
    void totalsALargeOrder() {
        Order order = Order.draft("anna");
        for (int i = 0; i < 2_000; i++) {
            order.add(Samples.tea(2));
        }
        Money total = assertTimeout(Duration.ofMinutes(1), () -> order.total("EUR"));
        assertEquals(Money.of("18000", "EUR"), total);
    }
}
