package dev.waybill.delivery;

import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;

/** The sticker on a parcel. */
public final class ParcelLabel {

    private final Parcel parcel;
    private final Date printedOn;

    public ParcelLabel(Parcel parcel) {
        this(parcel, new Date());
    }

    public ParcelLabel(Parcel parcel, Date printedOn) {
        this.parcel = parcel;
        this.printedOn = new Date(printedOn.getTime());
    }

    public String printedOn() {
        SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT);
        format.setTimeZone(TimeZone.getTimeZone("UTC"));
        return format.format(printedOn);
    }

    public String text() {
        return parcel.id() + " > " + parcel.destination() + " (" + printedOn() + ")";
    }

    /** Modulo 10 check digit over the characters of the parcel id. */
    public int checkDigit() {
        int sum = 0;
        for (int i = 0; i < parcel.id().length(); i++) {
            sum += parcel.id().charAt(i) * (i % 2 == 0 ? 3 : 1);
        }
        return (10 - sum % 10) % 10;
    }
}
