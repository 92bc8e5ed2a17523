package dev.waybill.delivery.schedule;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.time.Duration;
import java.time.LocalTime;
import org.junit.Test;

public class TimeWindowTest {

    @Test
    public void lengthIsTheTimeBetweenItsEnds() {
        assertEquals(Duration.ofMinutes(150), TimeWindow.parse("08:00-10:30").length());
    }

    @Test
    public void endMustComeAfterStart() {
        assertThrows(IllegalArgumentException.class, () -> TimeWindow.parse("10:30-08:00"));
    }

    @Test
    public void allDayWindowIsOpen() {
        assertTrue(TimeWindow.parse("00:00-23:59").isOpen());
    }

    @Test
    public void allDayWindowContainsNoon() {
        assertTrue(TimeWindow.parse("00:00-23:59").contains(LocalTime.NOON));
    }
}
