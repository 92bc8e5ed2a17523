package dev.waybill.delivery;

import java.util.Objects;

public final class Parcel {

    private final String id;
    private final int grams;
    private final String destination;
    private volatile ParcelStatus status = ParcelStatus.WAITING;

    public Parcel(String id, int grams, String destination) {
        this.id = Objects.requireNonNull(id, "id");
        this.grams = grams;
        this.destination = destination;
    }

    public String id() {
        return id;
    }

    public int grams() {
        return grams;
    }

    public String destination() {
        return destination;
    }

    public ParcelStatus status() {
        return status;
    }

    public void moveTo(ParcelStatus next) {
        status = next;
    }

    @Override
    public String toString() {
        return id + "[" + status + "]";
    }
}
