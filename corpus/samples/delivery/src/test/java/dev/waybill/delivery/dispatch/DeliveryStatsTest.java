package dev.waybill.delivery.dispatch;

import static org.junit.Assert.assertEquals;

import dev.waybill.delivery.support.ThreadBurst;
import org.junit.Test;

public class DeliveryStatsTest {

    private final DeliveryStats stats = new DeliveryStats();

    @Test
    public void countsDeliveries() {
        for (int i = 0; i < 500; i++) {
            stats.recordDelivery();
        }
        assertEquals(500, stats.delivered());
    }

    @Test
    public void countsDeliveriesOfAllWorkers() throws InterruptedException {
        ThreadBurst.run(4, 500, stats::recordDelivery);
        assertEquals(2000, stats.delivered());
    }

    @Test
    public void remembersParcelsOfAllWorkers() throws InterruptedException {
        ThreadBurst.run(2, 100, () -> stats.remember("P-1"));
        assertEquals(200, stats.remembered());
    }
}
