package shop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.TimeZone;
import org.junit.jupiter.api.Test;

class ClockTest {
    @Test
    void isNearGreenwich() {
        assertTrue(Math.abs(TimeZone.getDefault().getRawOffset()) < 13 * 3600 * 1000);
    }
}
