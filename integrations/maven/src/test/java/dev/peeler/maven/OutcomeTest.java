package dev.peeler.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OutcomeTest {
    @Test
    void everyStatusHasAMeaning() {
        assertEquals(Outcome.CLEAN, Outcome.of(0));
        assertEquals(Outcome.FINDINGS, Outcome.of(1));
        assertEquals(Outcome.FAILURE, Outcome.of(2));
        assertEquals(Outcome.FAILURE, Outcome.of(137));
        assertEquals(Outcome.FAILURE, Outcome.of(-1073741515));
    }

    @Test
    void aFailureIsExplained() {
        assertEquals("failed (exit status 2)", Outcome.reason(2));
        assertEquals("was interrupted (exit status 130)", Outcome.reason(130));
        assertTrue(Outcome.reason(137).contains("signal 9 (exit status 137); perhaps there was not enough memory"));
        assertTrue(Outcome.reason(127).contains("none of its own"));
    }
}
