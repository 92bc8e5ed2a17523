package dev.waybill.delivery.depot;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class RegionSettingsTest {

    @Test
    public void regionIsEuropeByDefault() {
        assertEquals("EU", RegionSettings.region());
    }

    @Test
    public void regionCanBeConfigured() {
        System.setProperty(RegionSettings.PROPERTY, "UK");
        assertEquals("UK", RegionSettings.region());
    }
}
