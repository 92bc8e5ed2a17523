package dev.waybill.delivery.schedule;

import java.text.DateFormat;
import java.text.NumberFormat;
import java.util.Date;

/** Texts for the delivery slot on the customer page. */
public final class SlotFormatter {

    public String start(long epochMillis) {
        DateFormat format = DateFormat.getTimeInstance(DateFormat.SHORT);
        return format.format(new Date(epochMillis));
    }

    public String distance(double kilometres) {
        NumberFormat format = NumberFormat.getInstance();
        format.setMaximumFractionDigits(1);
        return format.format(kilometres) + " km";
    }
}
