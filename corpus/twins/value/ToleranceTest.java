// route: setup
// settled: tolerance
package example.tolerance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class Visit {
    final Instant at = Instant.now(); // flaky: PLR301
}

class ToleranceTest {
    private Visit visit;

    @BeforeEach
    void visit() {
        visit = new Visit();
    }

    @Test
    void remembersTime() {
        Instant now = Instant.now(); // flaky: PLR301
        assertThat(visit.at).isEqualTo(now);
        //~ assertThat(visit.at).isCloseTo(now, within(10, java.time.temporal.ChronoUnit.MINUTES));
    }
}
