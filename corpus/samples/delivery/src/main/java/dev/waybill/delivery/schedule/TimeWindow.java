package dev.waybill.delivery.schedule;

import java.time.Duration;
import java.time.LocalTime;

public final class TimeWindow {

    private final LocalTime from;
    private final LocalTime to;

    public TimeWindow(LocalTime from, LocalTime to) {
        if (!from.isBefore(to)) {
            throw new IllegalArgumentException(from + " is not before " + to);
        }
        this.from = from;
        this.to = to;
    }

    public static TimeWindow parse(String text) {
        String[] parts = text.split("-", 2);
        return new TimeWindow(LocalTime.parse(parts[0]), LocalTime.parse(parts[1]));
    }

    public boolean contains(LocalTime time) {
        return !time.isBefore(from) && time.isBefore(to);
    }

    public boolean isOpen() {
        return contains(LocalTime.now());
    }

    public Duration length() {
        return Duration.between(from, to);
    }
}
