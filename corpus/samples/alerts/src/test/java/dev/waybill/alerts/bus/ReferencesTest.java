package dev.waybill.alerts.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class ReferencesTest {

    @Test
    void referencesOfADayAreDistinct() {
        References references = new References();
        Set<String> given = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            assertTrue(given.add(references.next()), "given twice");
        }
    }

    @Test
    void sameSeedGivesSameReference() {
        assertEquals(new References(new Random(3)).next(), new References(new Random(3)).next());
    }

    @RepeatedTest(3)
    void referenceHasTwoDigits() {
        assertTrue(new References().next().matches("W\\d\\d"));
    }

    @Test
    void jitterStaysModerate() {
        assertTrue(References.jitter(100) < 180);
    }

    @Test
    void jitterAtMostDoublesTheBase() {
        int delay = References.jitter(100);
        assertTrue(delay >= 100 && delay < 200);
    }
}
