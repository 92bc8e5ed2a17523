package dev.waybill.orders.pricing;

import java.time.Clock;
import java.time.LocalDate;

public final class Voucher {

    private static final int DAYS_VALID = 30;

    private final String code;
    private final LocalDate issuedOn;

    private Voucher(String code, LocalDate issuedOn) {
        this.code = code;
        this.issuedOn = issuedOn;
    }

    public static Voucher issue(String code) {
        return issue(code, Clock.systemDefaultZone());
    }

    public static Voucher issue(String code, Clock clock) {
        return new Voucher(code, LocalDate.now(clock));
    }

    public String code() {
        return code;
    }

    public LocalDate expiresOn() {
        return issuedOn.plusDays(DAYS_VALID);
    }

    public boolean isValidOn(LocalDate day) {
        return !day.isBefore(issuedOn) && day.isBefore(expiresOn());
    }
}
