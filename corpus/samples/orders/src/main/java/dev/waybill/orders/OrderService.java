package dev.waybill.orders;

import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

public final class OrderService {

    private final Clock clock;
    private final Map<OrderId, Order> orders = new HashMap<>();

    public OrderService() {
        this(Clock.systemDefaultZone());
    }

    public OrderService(Clock clock) {
        this.clock = clock;
    }

    public Order place(String customer, List<OrderLine> lines) {
        Order order = new Order(OrderId.next(), customer, Instant.now(clock), OrderStatus.PLACED);
        lines.forEach(order::add);
        orders.put(order.id(), order);
        return order;
    }

    public Optional<Order> find(OrderId id) {
        return Optional.ofNullable(orders.get(id));
    }

    /** Orders are packed the next day; nothing is packed on Sundays. */
    public LocalDate packingDay(Order order) {
        LocalDate day = LocalDate.ofInstant(order.placedAt(), clock.getZone()).plusDays(1);
        return day.getDayOfWeek() == DayOfWeek.SUNDAY ? day.plusDays(1) : day;
    }

    public LocalDate cutOff() {
        return LocalDate.now(clock).plusDays(1);
    }

    public List<Order> openOrders() {
        List<Order> open = new ArrayList<>();
        for (Order order : orders.values()) {
            if (order.status().isOpen()) {
                open.add(order);
            }
        }
        open.sort(Comparator.comparing(Order::placedAt));
        return open;
    }

    /** Names of all customers with an order in the book. */
    public List<String> customers() {
        List<String> names = new ArrayList<>();
        for (Order order : orders.values()) {
            if (!names.contains(order.customer())) {
                names.add(order.customer());
            }
        }
        return names;
    }

    public Map<OrderStatus, Integer> countByStatus() {
        Map<OrderStatus, Integer> counts = new HashMap<>();
        for (Order order : orders.values()) {
            counts.merge(order.status(), 1, Integer::sum);
        }
        return counts;
    }
}
