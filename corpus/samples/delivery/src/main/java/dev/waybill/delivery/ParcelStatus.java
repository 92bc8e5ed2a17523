package dev.waybill.delivery;

public enum ParcelStatus {
    WAITING,
    ON_THE_ROAD,
    DELIVERED
}
