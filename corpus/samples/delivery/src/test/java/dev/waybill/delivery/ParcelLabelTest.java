package dev.waybill.delivery;

import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;
import junit.framework.TestCase;

public class ParcelLabelTest extends TestCase {

    private Parcel parcel;

    @Override
    protected void setUp() throws Exception {
        super.setUp();
        parcel = new Parcel("P-100", 750, "Lund");
    }

    public void testPrintedToday() {
        SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT);
        format.setTimeZone(TimeZone.getTimeZone("UTC"));
        ParcelLabel label = new ParcelLabel(parcel);
        assertEquals(format.format(new Date()), label.printedOn());
    }

    public void testPrintedOnGivenDay() {
        ParcelLabel label = new ParcelLabel(parcel, new Date(1_600_000_000_000L));
        assertEquals("2020-09-13", label.printedOn());
    }

    public void testTextHoldsDestination() {
        assertEquals("P-100 > Lund (1970-01-01)", new ParcelLabel(parcel, new Date(0)).text());
    }

    public void testCheckDigit() {
        assertEquals(6, new ParcelLabel(parcel).checkDigit());
    }
}
