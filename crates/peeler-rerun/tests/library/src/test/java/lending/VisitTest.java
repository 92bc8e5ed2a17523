package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class VisitTest {
    @Test
    void lastsAsLongAsOneStays() throws InterruptedException {
        Visit visit = new Visit();
        Thread.sleep(25);
        assertEquals(2, visit.hundredths());
    }

    @Test
    void isNeverNegative() {
        assertTrue(new Visit().hundredths() >= 0);
    }
}
