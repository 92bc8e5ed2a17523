package dev.waybill.delivery.depot;

public final class RegionSettings {

    public static final String PROPERTY = "waybill.region";

    private RegionSettings() {
    }

    public static String region() {
        return System.getProperty(PROPERTY, "EU");
    }

    public static String currency() {
        return "UK".equals(region()) ? "GBP" : "EUR";
    }
}
