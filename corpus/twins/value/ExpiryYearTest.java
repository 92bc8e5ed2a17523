// route: body
// settled: fixed date
package example.expiryyear;

import static org.junit.Assert.assertFalse;

import java.time.LocalDate;
import org.junit.Test;

class Card {
    private final int year;

    Card(int year) {
        this.year = year;
    }

    boolean isExpired(LocalDate today) {
        return today.getYear() > year;
    }
}

public class ExpiryYearTest {
    @Test
    public void isValid() {
        Card card = new Card(2031);
        assertFalse(card.isExpired(LocalDate.now())); // flaky: PLR301
        //~ assertFalse(card.isExpired(LocalDate.of(2025, 6, 1)));
    }
}
