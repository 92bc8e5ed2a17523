package dev.waybill.alerts;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;

/** The part of the day in which nobody wants to hear from us. */
public record QuietHours(LocalTime from, LocalTime to) {

    public boolean isQuiet(LocalTime time) {
        if (from.isBefore(to)) {
            return !time.isBefore(from) && time.isBefore(to);
        }
        return !time.isBefore(from) || time.isBefore(to);
    }

    public boolean isQuiet(Instant instant, ZoneId zone) {
        return isQuiet(LocalTime.ofInstant(instant, zone));
    }

    public boolean isQuiet(Instant instant) {
        return isQuiet(instant, ZoneId.systemDefault());
    }

    public boolean isQuietNow() {
        return isQuiet(LocalTime.now());
    }
}
