package dev.waybill.orders.pricing;

import dev.waybill.orders.Order;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.Month;
import java.time.ZoneOffset;

/** Ten percent off everything ordered in the December of one year. */
public final class SeasonalDiscount implements DiscountPolicy {

    private static final BigDecimal RATE = new BigDecimal("0.10");

    private final int year;

    public SeasonalDiscount(int year) {
        this.year = year;
    }

    public static SeasonalDiscount thisYear() {
        return new SeasonalDiscount(LocalDate.now().getYear());
    }

    public int year() {
        return year;
    }

    public boolean isRunning(LocalDate day) {
        return day.getYear() == year && day.getMonth() == Month.DECEMBER;
    }

    public boolean isRunningToday() {
        return isRunning(LocalDate.now());
    }

    @Override
    public BigDecimal rateFor(Order order) {
        LocalDate day = LocalDate.ofInstant(order.placedAt(), ZoneOffset.UTC);
        return isRunning(day) ? RATE : BigDecimal.ZERO;
    }
}
