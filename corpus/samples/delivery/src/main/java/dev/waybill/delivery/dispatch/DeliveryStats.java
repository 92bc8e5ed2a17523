package dev.waybill.delivery.dispatch;

import java.util.ArrayList;
import java.util.List;

/** Figures of the running shift. */
public class DeliveryStats {

    private int delivered;
    private final List<String> history = new ArrayList<>();

    public void recordDelivery() {
        delivered++;
    }

    public void remember(String parcelId) {
        history.add(parcelId);
    }

    public int delivered() {
        return delivered;
    }

    public int remembered() {
        return history.size();
    }
}
