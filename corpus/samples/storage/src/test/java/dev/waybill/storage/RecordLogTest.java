package dev.waybill.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

@TestInstance(Lifecycle.PER_CLASS)
class RecordLogTest {

    private final List<String> log = new ArrayList<>();

    @Test
    void firstRecordIsLogged() {
        log.add("open");
        assertThat(log).hasSize(1);
    }

    @Test
    void recordsAreLoggedInTurn() {
        log.add("read");
        log.add("close");
        assertThat(log).endsWith("read", "close");
    }
}
