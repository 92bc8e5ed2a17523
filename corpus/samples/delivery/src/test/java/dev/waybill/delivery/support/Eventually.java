package dev.waybill.delivery.support;

import java.util.function.BooleanSupplier;

public final class Eventually {

    private static final long PATIENCE_MILLIS = 30_000;

    private Eventually() {
    }

    /** Returns once the condition holds and fails if that takes longer than half a minute. */
    public static void holds(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (!condition.getAsBoolean()) {
            if (System.currentTimeMillis() > deadline) {
                throw new AssertionError("Condition did not hold in time");
            }
            Thread.sleep(10);
        }
    }
}
