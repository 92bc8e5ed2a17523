package dev.waybill.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecordBatchTest {

    private static final List<String> FLUSHED = new ArrayList<>();

    private final List<String> batch = new ArrayList<>();

    @AfterEach
    void forgetFlushed() {
        FLUSHED.clear();
    }

    @Test
    void firstRecordIsBatched() {
        batch.add("open");
        assertThat(batch).hasSize(1);
    }

    @Test
    void batchIsFlushed() {
        batch.add("read");
        FLUSHED.addAll(batch);
        assertThat(FLUSHED).containsExactly("read");
    }

    @Test
    void nothingIsFlushedWithoutRecords() {
        FLUSHED.addAll(batch);
        assertThat(FLUSHED).isEmpty();
    }
}
