package dev.waybill.delivery.depot;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class DepotLookupTest {

    @Test
    public void startsWithoutDepots() {
        assertEquals(0, DepotRegistry.size());
    }

    @Test
    public void registeredDepotIsKnown() {
        DepotRegistry.register("north", 20_095);
        assertTrue(DepotRegistry.knows("north"));
    }

    @Test
    public void nearestDepotIsInTheNorth() {
        assertEquals("north", DepotRegistry.nearest(20_100));
    }
}
