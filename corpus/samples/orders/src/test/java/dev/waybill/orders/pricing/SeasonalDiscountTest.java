package dev.waybill.orders.pricing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.waybill.orders.support.Samples;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.Year;
import org.junit.jupiter.api.Test;

class SeasonalDiscountTest {

    @Test
    void runsThroughDecember() {
        SeasonalDiscount discount = new SeasonalDiscount(2022);
        assertTrue(discount.isRunning(LocalDate.of(2022, 12, 1)));
        assertTrue(discount.isRunning(LocalDate.of(2022, 12, 31)));
        assertFalse(discount.isRunning(LocalDate.of(2023, 1, 1)));
    }

    @Test
    void ordersOfOtherMonthsAreNotDiscounted() {
        assertEquals(BigDecimal.ZERO, new SeasonalDiscount(2022).rateFor(Samples.placedAt("2022-11-30T23:59:59Z")));
    }

    @Test
    void thisYearMeansTheCalendarYear() {
        int year = Year.now().getValue();
        assertEquals(year, SeasonalDiscount.thisYear().year());
    }

    @Test
    void isNotRunningOutOfSeason() {
        assertFalse(SeasonalDiscount.thisYear().isRunningToday());
    }
}
