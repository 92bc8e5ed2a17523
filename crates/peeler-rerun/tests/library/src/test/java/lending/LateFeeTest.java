package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LateFeeTest {
    @Test
    void twoDaysAreFree() {
        assertEquals(0, LateFee.forDays(2));
    }

    @Test
    void everyOtherDayCosts() {
        assertEquals(75, LateFee.forDays(5));
    }

    @Test
    void feeHasALimit() {
        assertEquals(1000, LateFee.forDays(400));
    }

    @Test
    void earlyIsNotLate() {
        assertThrows(IllegalArgumentException.class, () -> LateFee.forDays(-1));
    }

    @ParameterizedTest
    @CsvSource({"0, 0.00", "5, 0.05", "75, 0.75", "1000, 10.00"})
    void centsAreReadable(int cents, String text) {
        assertEquals(text, LateFee.format(cents));
    }
}
