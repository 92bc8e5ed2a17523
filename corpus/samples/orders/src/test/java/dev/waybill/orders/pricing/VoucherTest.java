package dev.waybill.orders.pricing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class VoucherTest {

    private final Clock clock = Clock.fixed(Instant.parse("2021-12-20T12:00:00Z"), ZoneOffset.UTC);

    @Test
    void expiresAfterThirtyDays() {
        assertEquals(LocalDate.of(2022, 1, 19), Voucher.issue("K7-381", clock).expiresOn());
    }

    @Test
    void isNotValidOnTheDayItExpires() {
        Voucher voucher = Voucher.issue("K7-381", clock);
        assertTrue(voucher.isValidOn(LocalDate.of(2022, 1, 18)));
        assertFalse(voucher.isValidOn(LocalDate.of(2022, 1, 19)));
    }

    @Test
    void expiresWithinTheYear() {
        Voucher voucher = Voucher.issue("K7-381");
        assertEquals(LocalDate.now().getYear(), voucher.expiresOn().getYear());
    }

    @Test
    void keepsItsCode() {
        assertEquals("K7-381", Voucher.issue("K7-381").code());
    }
}
