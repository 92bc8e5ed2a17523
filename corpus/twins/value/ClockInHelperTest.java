// route: helper
// settled: date given
package example.clockinhelper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class ClockInHelperTest {
    private int age(int born, LocalDate today) {
        return today.getYear() - born;
    }

    @Test
    void computesAge() {
        assertEquals(40, age(1986, LocalDate.now())); // flaky: PLR301
        //~ assertEquals(40, age(1986, LocalDate.of(2026, 3, 1)));
    }
}
