package dev.waybill.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.waybill.orders.support.Samples;
import dev.waybill.orders.support.TickingClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class OrderServiceTest {

    private static final List<OrderLine> LINES = Collections.singletonList(Samples.tea(1));

    @Nested
    class OnTheSystemClock {

        private final OrderService service = new OrderService();

        @Test
        void placedOrderCanBeFound() {
            Order order = service.place("anna", LINES);
            assertTrue(service.find(order.id()).isPresent());
            assertFalse(service.find(OrderId.fromReference("other")).isPresent());
        }

        @Test
        void cutOffIsTomorrow() {
            assertEquals(LocalDate.now().plusDays(1), service.cutOff());
        }

        @Test
        void laterOrderHasTheLaterTime() {
            Order first = service.place("anna", LINES);
            Order second = service.place("bo", LINES);
            assertTrue(second.placedAt().isAfter(first.placedAt()));
        }

        @Test
        void listsCustomers() {
            service.place("anna", LINES);
            service.place("bo", LINES);
            service.place("anna", LINES);
            assertEquals(Arrays.asList("anna", "bo"), service.customers());
        }

        @Test
        void listsEveryCustomerOnce() {
            service.place("anna", LINES);
            service.place("bo", LINES);
            service.place("anna", LINES);
            List<String> sorted = service.customers().stream().sorted().collect(Collectors.toList());
            assertEquals(Arrays.asList("anna", "bo"), sorted);
        }
    }

    @Nested
    class OnAGivenClock {

        private OrderService service;

        @BeforeEach
        void setUp() {
            service = new OrderService(new TickingClock(Instant.parse("2022-05-06T10:00:00Z"), Duration.ofMinutes(1)));
        }

        @Test
        void laterOrderHasTheLaterTime() {
            Order first = service.place("anna", LINES);
            Order second = service.place("bo", LINES);
            assertTrue(second.placedAt().isAfter(first.placedAt()));
        }

        @Test
        void openOrdersComeOldestFirst() {
            Order first = service.place("anna", LINES);
            Order cancelled = service.place("bo", LINES);
            Order third = service.place("cy", LINES);
            cancelled.cancel();
            assertEquals(Arrays.asList(first, third), service.openOrders());
        }

        @Test
        void printsCountsByStatus() {
            service.place("anna", LINES);
            service.place("bo", LINES);
            service.place("cy", LINES).cancel();
            assertEquals("{PLACED=2, CANCELLED=1}", service.countByStatus().toString());
        }

        @Test
        void countsByStatus() {
            service.place("anna", LINES);
            service.place("bo", LINES);
            service.place("cy", LINES).cancel();
            assertEquals(2, service.countByStatus().get(OrderStatus.PLACED));
            assertEquals(1, service.countByStatus().get(OrderStatus.CANCELLED));
        }
    }

    @Test
    void cutOffFollowsTheClock() {
        Clock newYearsEve = Clock.fixed(Instant.parse("2021-12-31T23:59:59Z"), ZoneOffset.UTC);
        assertEquals(LocalDate.of(2022, 1, 1), new OrderService(newYearsEve).cutOff());
    }

    @Test
    void nothingIsPackedOnSundays() {
        Clock saturday = Clock.fixed(Instant.parse("2022-05-07T08:00:00Z"), ZoneOffset.UTC);
        OrderService service = new OrderService(saturday);
        assertEquals(LocalDate.of(2022, 5, 9), service.packingDay(service.place("anna", LINES)));
    }
}
