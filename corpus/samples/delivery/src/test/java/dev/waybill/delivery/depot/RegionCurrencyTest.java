package dev.waybill.delivery.depot;

import static org.junit.Assert.assertEquals;

import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class RegionCurrencyTest {

    private String before;

    @Before
    public void forgetRegion() {
        before = System.getProperty(RegionSettings.PROPERTY);
        System.clearProperty(RegionSettings.PROPERTY);
    }

    @After
    public void restoreRegion() {
        if (before == null) {
            System.clearProperty(RegionSettings.PROPERTY);
        } else {
            System.setProperty(RegionSettings.PROPERTY, before);
        }
    }

    @Test
    public void paysInEuroByDefault() {
        assertEquals("EUR", RegionSettings.currency());
    }

    @Test
    public void paysInPoundsInBritain() {
        System.setProperty(RegionSettings.PROPERTY, "UK");
        assertEquals("GBP", RegionSettings.currency());
    }
}
