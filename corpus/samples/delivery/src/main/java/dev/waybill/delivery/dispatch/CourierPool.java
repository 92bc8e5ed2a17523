package dev.waybill.delivery.dispatch;

import java.util.concurrent.Semaphore;

/** A fixed number of couriers, each of which drives one tour at a time. */
public final class CourierPool {

    private static final CourierPool CITY = new CourierPool(3);

    private final Semaphore free;

    public CourierPool(int couriers) {
        this.free = new Semaphore(couriers);
    }

    /** The pool of the city depot. */
    public static CourierPool city() {
        return CITY;
    }

    public Tour send(String district) {
        if (!free.tryAcquire()) {
            throw new IllegalStateException("No courier left for " + district);
        }
        return new Tour(district);
    }

    public int free() {
        return free.availablePermits();
    }

    public final class Tour implements AutoCloseable {
        private final String district;
        private boolean over;

        private Tour(String district) {
            this.district = district;
        }

        public String district() {
            return district;
        }

        @Override
        public void close() {
            if (!over) {
                over = true;
                free.release();
            }
        }
    }
}
