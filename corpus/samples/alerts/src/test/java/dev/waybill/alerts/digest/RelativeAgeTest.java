package dev.waybill.alerts.digest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelativeAgeTest {

    private static final Instant NOON = Instant.parse("2022-05-04T12:00:00Z");

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 59})
    void countsSecondsFromNow(int seconds) {
        assertEquals(seconds + " seconds ago", new RelativeAge().of(Instant.now().minusSeconds(seconds)));
    }

    @ParameterizedTest
    @CsvSource({"0, 0 seconds ago", "59, 59 seconds ago", "60, 1 minutes ago", "150, 2 minutes ago"})
    void countsSecondsFromNoon(int seconds, String expected) {
        RelativeAge age = new RelativeAge(Clock.fixed(NOON, ZoneOffset.UTC));
        assertEquals(expected, age.of(NOON.minusSeconds(seconds)));
    }
}
