package dev.waybill.delivery.dispatch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import org.junit.After;
import org.junit.Test;

public class CourierToursTest {

    private static final CourierPool POOL = new CourierPool(2);

    private CourierPool.Tour tour;

    @After
    public void endTour() {
        if (tour != null) {
            tour.close();
        }
    }

    @Test
    public void tourGoesToTheDistrict() {
        tour = POOL.send("harbour");
        assertEquals("harbour", tour.district());
    }

    @Test
    public void secondTourGoesOutAtTheSameTime() {
        try (CourierPool.Tour first = POOL.send("harbour"); CourierPool.Tour second = POOL.send("old town")) {
            assertEquals("harbour", first.district());
            assertEquals("old town", second.district());
            assertEquals(0, POOL.free());
        }
        assertEquals(2, POOL.free());
    }

    @Test
    public void noCourierIsLeftForAThirdTour() {
        CourierPool small = new CourierPool(2);
        small.send("harbour");
        small.send("old town");
        assertThrows(IllegalStateException.class, () -> small.send("airport"));
    }
}
