package dev.waybill.alerts.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ThrottleResetTest {

    @BeforeEach
    @AfterEach
    void forget() {
        Throttle.forget();
    }

    @Test
    void newTitleIsAdmitted() {
        assertTrue(Throttle.admit("Van missing"));
    }

    @Test
    void titleIsAdmittedAgainAfterReset() {
        Throttle.admit("Van missing");
        Throttle.forget();
        assertTrue(Throttle.admit("Van missing"));
        assertEquals(1, Throttle.seen());
    }
}
