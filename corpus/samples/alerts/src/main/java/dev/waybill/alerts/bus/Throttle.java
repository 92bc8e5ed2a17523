package dev.waybill.alerts.bus;

import java.util.HashSet;
import java.util.Set;

/** Lets every title through once. */
public final class Throttle {

    private static final Set<String> SEEN = new HashSet<>();

    private Throttle() {
    }

    public static synchronized boolean admit(String title) {
        return SEEN.add(title);
    }

    public static synchronized int seen() {
        return SEEN.size();
    }

    public static synchronized void forget() {
        SEEN.clear();
    }
}
