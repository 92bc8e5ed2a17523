package dev.waybill.delivery.dispatch;

import dev.waybill.delivery.Parcel;
import dev.waybill.delivery.ParcelStatus;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Hands parcels to the carrier on background threads. */
public final class DispatchQueue implements AutoCloseable {

    private final ExecutorService workers;
    private final Carrier carrier;
    private final List<Consumer<Parcel>> listeners = new CopyOnWriteArrayList<>();
    private final Object lock = new Object();
    private int pending;

    public DispatchQueue(Carrier carrier, int threads) {
        this.carrier = carrier;
        this.workers = Executors.newFixedThreadPool(threads);
    }

    public void onDelivered(Consumer<Parcel> listener) {
        listeners.add(listener);
    }

    public Future<Parcel> submit(Parcel parcel) {
        synchronized (lock) {
            pending++;
        }
        return workers.submit(() -> {
            try {
                parcel.moveTo(ParcelStatus.ON_THE_ROAD);
                carrier.carry(parcel);
                parcel.moveTo(ParcelStatus.DELIVERED);
                listeners.forEach(listener -> listener.accept(parcel));
                return parcel;
            } finally {
                synchronized (lock) {
                    pending--;
                    lock.notifyAll();
                }
            }
        });
    }

    /** Waits until every submitted parcel is done. */
    public boolean awaitIdle(long timeout, TimeUnit unit) throws InterruptedException {
        long deadline = System.nanoTime() + unit.toNanos(timeout);
        synchronized (lock) {
            while (pending > 0) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(lock, left);
            }
        }
        return true;
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}
