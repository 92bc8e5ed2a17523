package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class LoanPeriodTest {
    private static final LocalDate MONDAY = LocalDate.of(2024, 3, 4);

    @Test
    void lastsThreeWeeks() {
        assertEquals(LocalDate.of(2024, 3, 25), LoanPeriod.from(MONDAY).due());
    }

    @Test
    void isNeverDueOnSunday() {
        assertEquals(LocalDate.of(2024, 3, 25), LoanPeriod.from(MONDAY.minusDays(1)).due());
    }

    @Test
    void extensionAddsThreeWeeks() {
        assertEquals(LocalDate.of(2024, 4, 15), LoanPeriod.from(MONDAY).extended().due());
    }

    @Test
    void thirdExtensionIsRefused() {
        LoanPeriod twice = LoanPeriod.from(MONDAY).extended().extended();
        assertThrows(IllegalStateException.class, twice::extended);
    }

    @Test
    void lateDaysAreCounted() {
        LoanPeriod loan = LoanPeriod.from(MONDAY);
        assertEquals(0, loan.daysLate(LocalDate.of(2024, 3, 20)));
        assertEquals(7, loan.daysLate(LocalDate.of(2024, 4, 1)));
    }
}
