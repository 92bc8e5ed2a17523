package dev.waybill.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WriteBehindBufferTest {

    private final WriteBehindBuffer buffer = new WriteBehindBuffer();

    @AfterEach
    void close() {
        buffer.close();
    }

    @Test
    void recordIsWritten() throws InterruptedException {
        buffer.write("a");
        pause();
        assertThat(buffer.written()).containsExactly("a");
    }

    @Test
    void recordIsWrittenAtOnce() {
        buffer.write("a");
        assertThat(buffer.written()).hasSize(1);
    }

    @Test
    void recordIsWrittenWhenFlushed() {
        buffer.write("a");
        buffer.write("b");
        buffer.flush();
        assertThat(buffer.written()).containsExactly("a", "b");
    }

    @Test
    void recordIsWrittenWhenTheFutureIsDone() {
        buffer.write("a").join();
        assertThat(buffer.written()).containsExactly("a");
    }

    @Test
    void allRecordsAreWrittenWhenAllFuturesAreDone() {
        List<CompletableFuture<Void>> writes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            writes.add(buffer.write("record " + i));
        }
        CompletableFuture.allOf(writes.toArray(new CompletableFuture<?>[0])).join();
        assertThat(buffer.written()).hasSize(20).startsWith("record 0");
    }

    @Test
    void flushIsQuick() {
        for (int i = 0; i < 5_000; i++) {
            buffer.write("record " + i);
        }
        assertTimeoutPreemptively(Duration.ofMillis(30), buffer::flush);
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void flushReturns() {
        for (int i = 0; i < 500; i++) {
            buffer.write("record " + i);
        }
        buffer.flush();
        assertThat(buffer.written()).hasSize(500);
    }

    private static void pause() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(50);
    }
}
