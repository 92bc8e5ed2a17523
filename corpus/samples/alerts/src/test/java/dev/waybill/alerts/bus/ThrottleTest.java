package dev.waybill.alerts.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ThrottleTest {

    @Test
    void newTitleIsAdmitted() {
        assertTrue(Throttle.admit("Van missing"));
    }

    @Test
    void secondNoticeIsHeldBack() {
        Throttle.admit("Van missing");
        assertFalse(Throttle.admit("Van missing"));
    }

    @Test
    void nothingWasSeenYet() {
        assertEquals(0, Throttle.seen());
    }
}
