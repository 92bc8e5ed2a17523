package dev.waybill.alerts;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class QuietHoursTest {

    private static final Instant EVENING = Instant.parse("2022-05-04T21:30:00Z");

    private final QuietHours night = new QuietHours(LocalTime.of(22, 0), LocalTime.of(6, 0));

    @Test
    void nightGoesOnAfterMidnight() {
        assertTrue(night.isQuiet(LocalTime.of(23, 0)));
        assertTrue(night.isQuiet(LocalTime.of(5, 59)));
        assertFalse(night.isQuiet(LocalTime.of(6, 0)));
    }

    @Test
    void officeHoursAreNotQuiet() {
        assertFalse(night.isQuietNow());
    }

    @Test
    void eveningIsNotQuietYet() {
        assertFalse(night.isQuiet(EVENING));
    }

    @Test
    void eveningDependsOnThePlace() {
        assertFalse(night.isQuiet(EVENING, ZoneId.of("UTC")));
        assertTrue(night.isQuiet(EVENING, ZoneId.of("Europe/Warsaw")));
    }
}
