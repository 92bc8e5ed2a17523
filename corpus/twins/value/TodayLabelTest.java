// route: code under test, 3 calls
// settled: date given
package example.todaylabel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class Diary {
    String title() {
        return new Heading().text();
    }

    String title(LocalDate day) {
        return "Diary of " + day;
    }
}

class Heading {
    String text() {
        return "Diary of " + new Days().current();
    }
}

class Days {
    LocalDate current() {
        return LocalDate.now(); // flaky: PLR301
    }
}

class TodayLabelTest {
    @Test
    void showsToday() {
        assertEquals("Diary of " + LocalDate.now(), new Diary().title()); // flaky: PLR301
        //~ assertEquals("Diary of 2020-02-29", new Diary().title(LocalDate.of(2020, 2, 29)));
    }
}
