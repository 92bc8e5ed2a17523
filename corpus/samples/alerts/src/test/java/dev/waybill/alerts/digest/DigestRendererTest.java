package dev.waybill.alerts.digest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.waybill.alerts.Notice;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class DigestRendererTest {

    private static final List<Notice> NOTICES = List.of(
            Notice.info("Depot opened"),
            Notice.critical("Van missing"),
            Notice.info("Rates changed"));

    private final DigestRenderer renderer = new DigestRenderer();

    @Test
    void rendersOneLinePerNotice() {
        assertEquals("""
                Daily digest
                ------------
                i Depot opened
                !! Van missing
                i Rates changed
                """, renderer.render(NOTICES));
    }

    @Test
    void showsCounts() {
        assertEquals("2 INFO, 1 CRITICAL", renderer.counts(NOTICES));
    }

    @Test
    void showsCountsFromLowToHigh() {
        assertEquals("2 INFO, 1 CRITICAL", renderer.countsBySeverity(NOTICES));
    }

    @Test
    void footerShowsToday() {
        assertEquals("Sent on " + LocalDate.now(), renderer.footer());
    }

    @Test
    void footerShowsTheDayOfTheClock() {
        Clock leapDay = Clock.fixed(Instant.parse("2024-02-29T07:00:00Z"), ZoneOffset.UTC);
        assertEquals("Sent on 2024-02-29", new DigestRenderer(leapDay).footer());
    }

    @Test
    void footerSaysThatItWasSent() {
        assertTrue(renderer.footer().startsWith("Sent on "));
    }
}
