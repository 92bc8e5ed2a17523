package dev.waybill.storage.index;

public enum Tier {
    HOT,
    WARM,
    COLD
}
