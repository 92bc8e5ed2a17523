package dev.waybill.delivery.schedule;

import static org.junit.Assert.assertEquals;

import java.time.LocalTime;
import java.util.Arrays;
import java.util.Collection;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class TimeWindowContainsTest {

    @Parameters(name = "{0} in {1}: {2}")
    public static Collection<Object[]> cases() {
        return Arrays.asList(new Object[][] {
                {"08:00", "08:00-10:00", true},
                {"09:59", "08:00-10:00", true},
                {"10:00", "08:00-10:00", false},
                {"07:59", "08:00-10:00", false},
        });
    }

    private final LocalTime time;
    private final TimeWindow window;
    private final boolean expected;

    public TimeWindowContainsTest(String time, String window, boolean expected) {
        this.time = LocalTime.parse(time);
        this.window = TimeWindow.parse(window);
        this.expected = expected;
    }

    @Test
    public void containsTimesFromStartToEnd() {
        assertEquals(expected, window.contains(time));
    }
}
