package dev.waybill.delivery.dispatch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;

import org.junit.Test;

public class CourierPoolTest {

    private final CourierPool pool = CourierPool.city();

    @Test
    public void tourGoesToTheDistrict() {
        CourierPool.Tour tour = pool.send("harbour");
        assertEquals("harbour", tour.district());
    }

    @Test
    public void secondTourGoesOutAtTheSameTime() {
        assertNotNull(pool.send("harbour"));
        assertNotNull(pool.send("old town"));
    }

    @Test
    public void courierIsFreeAfterTheTour() {
        pool.send("airport").close();
        CourierPool.Tour next = pool.send("castle");
        assertEquals("castle", next.district());
    }
}
