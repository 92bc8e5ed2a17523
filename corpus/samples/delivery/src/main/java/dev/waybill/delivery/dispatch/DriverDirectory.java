package dev.waybill.delivery.dispatch;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Gives every driver a badge number when first seen. */
public final class DriverDirectory {

    private final Map<String, Integer> badges;
    private final AtomicInteger issued = new AtomicInteger();

    private DriverDirectory(Map<String, Integer> badges) {
        this.badges = badges;
    }

    public static DriverDirectory forShift() {
        return new DriverDirectory(new HashMap<>());
    }

    public static DriverDirectory forFleet() {
        return new DriverDirectory(new ConcurrentHashMap<>());
    }

    public int badgeOf(String driver) {
        Integer badge = badges.get(driver);
        if (badge == null) {
            badge = issued.incrementAndGet();
            badges.put(driver, badge);
        }
        return badge;
    }

    public int enrol(String driver) {
        return badges.computeIfAbsent(driver, name -> issued.incrementAndGet());
    }

    public int issued() {
        return issued.get();
    }
}
