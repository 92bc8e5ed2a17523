package dev.waybill.delivery.dispatch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Figures of all shifts of the day, fed by every worker. */
public class SharedDeliveryStats {

    private final AtomicInteger delivered = new AtomicInteger();
    private final List<String> history = Collections.synchronizedList(new ArrayList<>());
    private int returned;

    public void recordDelivery() {
        delivered.incrementAndGet();
    }

    public synchronized void recordReturn() {
        returned++;
    }

    public void remember(String parcelId) {
        history.add(parcelId);
    }

    public int delivered() {
        return delivered.get();
    }

    public synchronized int returned() {
        return returned;
    }

    public int remembered() {
        return history.size();
    }
}
