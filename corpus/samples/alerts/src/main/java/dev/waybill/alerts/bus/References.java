package dev.waybill.alerts.bus;

import java.security.SecureRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** Short references people can read out on the phone. */
public final class References {

    private final RandomGenerator random;

    public References() {
        this(new SecureRandom());
    }

    public References(RandomGenerator random) {
        this.random = random;
    }

    public String next() {
        return "W" + (10 + random.nextInt(90));
    }

    /** A delay that keeps clients from coming back all at the same time. */
    public static int jitter(int base) {
        return base + ThreadLocalRandom.current().nextInt(base);
    }
}
