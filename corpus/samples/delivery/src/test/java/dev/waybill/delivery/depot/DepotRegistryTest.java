package dev.waybill.delivery.depot;

public class DepotRegistryTest extends DepotTestCase {

    public void testStartsWithoutDepots() {
        assertEquals(0, DepotRegistry.size());
        assertNull(DepotRegistry.nearest(10_000));
    }

    public void testFindsNearestDepot() {
        DepotRegistry.register("south", 80_300);
        DepotRegistry.register("north", 20_095);
        assertEquals("north", DepotRegistry.nearest(24_000));
        assertEquals("south", DepotRegistry.nearest(70_000));
    }
}
