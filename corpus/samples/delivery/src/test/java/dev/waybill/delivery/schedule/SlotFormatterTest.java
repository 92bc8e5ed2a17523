package dev.waybill.delivery.schedule;

import static org.junit.Assert.assertEquals;

import java.time.Instant;
import org.junit.Test;

public class SlotFormatterTest {

    private final SlotFormatter formatter = new SlotFormatter();

    @Test
    public void showsStartOfSlot() {
        assertEquals("9:30 AM", formatter.start(Instant.parse("2022-05-04T09:30:00Z").toEpochMilli()));
    }

    @Test
    public void showsDistance() {
        assertEquals("1,240.5 km", formatter.distance(1240.5));
    }
}
