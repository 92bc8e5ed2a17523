package dev.waybill.delivery.depot;

import junit.framework.TestCase;

public abstract class DepotTestCase extends TestCase {

    @Override
    protected void setUp() throws Exception {
        super.setUp();
        DepotRegistry.clear();
    }
}
