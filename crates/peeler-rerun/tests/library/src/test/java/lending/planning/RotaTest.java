package lending.planning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class RotaTest {
    private static final LocalDate MONDAY = LocalDate.of(2024, 3, 4);

    private final Rota rota = new Rota(List.of("Ada", "Ben", "Eve"), MONDAY);

    @Test
    void firstPersonBegins() {
        assertEquals("Ada", rota.on(MONDAY));
    }

    @Test
    void peopleTakeTurns() {
        assertEquals("Ben", rota.on(MONDAY.plusDays(1)));
        assertEquals("Ada", rota.on(MONDAY.plusDays(3)));
    }

    @Test
    void nobodyComesOnSunday() {
        assertEquals("nobody", rota.on(MONDAY.plusDays(6)));
    }

    @Test
    void sundayTakesNoTurn() {
        assertEquals("Eve", rota.on(MONDAY.plusDays(5)));
        assertEquals("Ada", rota.on(MONDAY.plusDays(7)));
    }

    @Test
    void emptyRotaIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Rota(List.of(), MONDAY));
    }
}
