package dev.waybill.alerts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NoticeTest {

    @Test
    void bodyIsStripped() {
        assertEquals("since noon", new Notice("Van missing", "  since noon\n", Severity.WARNING).body());
    }

    @Test
    void titleIsRequired() {
        assertThrows(NullPointerException.class, () -> Notice.info(null));
    }

    @Test
    void printsItsParts() {
        assertEquals("Notice[title=Van missing, body=, severity=CRITICAL]", Notice.critical("Van missing").toString());
    }

    @ParameterizedTest
    @EnumSource(Severity.class)
    void everySeverityHasABadge(Severity severity) {
        assertFalse(severity.badge().isBlank());
    }
}
