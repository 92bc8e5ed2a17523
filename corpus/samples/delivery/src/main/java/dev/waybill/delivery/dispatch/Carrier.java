package dev.waybill.delivery.dispatch;

import dev.waybill.delivery.Parcel;

@FunctionalInterface
public interface Carrier {

    void carry(Parcel parcel) throws InterruptedException;
}
