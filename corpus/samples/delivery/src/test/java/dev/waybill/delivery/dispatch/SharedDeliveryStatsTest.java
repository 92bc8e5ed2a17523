package dev.waybill.delivery.dispatch;

import static org.junit.Assert.assertEquals;

import dev.waybill.delivery.support.ThreadBurst;
import org.junit.Test;

public class SharedDeliveryStatsTest {

    private final SharedDeliveryStats stats = new SharedDeliveryStats();

    @Test
    public void countsDeliveriesOfAllWorkers() throws InterruptedException {
        ThreadBurst.run(4, 500, stats::recordDelivery);
        assertEquals(2000, stats.delivered());
    }

    @Test
    public void countsReturnsOfAllWorkers() throws InterruptedException {
        ThreadBurst.run(4, 500, stats::recordReturn);
        assertEquals(2000, stats.returned());
    }

    @Test
    public void remembersParcelsOfAllWorkers() throws InterruptedException {
        ThreadBurst.run(2, 100, () -> stats.remember("P-1"));
        assertEquals(200, stats.remembered());
    }
}
