package dev.waybill.delivery.schedule;

import static org.junit.Assert.assertEquals;

import java.time.Instant;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class BritishSlotFormatterTest {

    private final SlotFormatter formatter = new SlotFormatter();
    private Locale locale;
    private TimeZone zone;

    @Before
    public void moveToBritain() {
        locale = Locale.getDefault();
        zone = TimeZone.getDefault();
        Locale.setDefault(Locale.UK);
        TimeZone.setDefault(TimeZone.getTimeZone("Europe/London"));
    }

    @After
    public void moveBack() {
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
    }

    @Test
    public void showsStartOfSlot() {
        assertEquals("10:30", formatter.start(Instant.parse("2022-05-04T09:30:00Z").toEpochMilli()));
    }

    @Test
    public void showsDistance() {
        assertEquals("1,240.5 km", formatter.distance(1240.5));
    }
}
