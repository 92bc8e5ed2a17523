package dev.waybill.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BlobStoreTest extends AbstractStoreTest {

    @Test
    void readsWhatWasWritten() throws IOException {
        store.put("lid", new byte[] {1, 2, 3});
        assertThat(store.get("lid")).containsExactly(1, 2, 3);
    }

    @Test
    void deletedBlobIsGone() throws IOException {
        putAll("lid");
        assertThat(store.delete("lid")).isTrue();
        assertThat(store.delete("lid")).isFalse();
        assertThat(store.list()).isEmpty();
    }

    @Test
    void sizeIsTheSumOfAllBlobs() throws IOException {
        putAll("lid", "leaves", "bags");
        assertThat(store.totalSize()).isEqualTo(13);
    }

    @Nested
    class Listing {

        @Test
        void listsBlobs() throws IOException {
            putAll("bags", "leaves", "lid");
            assertThat(store.list()).containsExactly("bags", "leaves", "lid");
        }

        @Test
        void listsBlobsInAnyOrder() throws IOException {
            putAll("bags", "leaves", "lid");
            assertThat(store.list()).containsExactlyInAnyOrder("lid", "bags", "leaves");
        }

        @Test
        void listsBlobsByName() throws IOException {
            putAll("lid", "bags", "leaves");
            assertThat(store.listSorted()).containsExactly("bags", "leaves", "lid");
        }

        @Test
        void anyBlobWillDo() throws IOException {
            putAll("lid", "bags");
            assertThat(store.any()).hasValue("bags");
        }

        @Test
        void onlyBlobIsFound() throws IOException {
            putAll("bags");
            assertThat(store.any()).hasValue("bags");
        }
    }

    @Nested
    class Timestamps {

        @Test
        void rewritingMovesTheTimestamp() throws IOException {
            putAll("lid");
            Path file = folder.resolve("lid");
            FileTime before = Files.getLastModifiedTime(file);
            putAll("lid");
            assertThat(Files.getLastModifiedTime(file)).isGreaterThan(before);
        }

        @Test
        void rewritingMovesAnOldTimestamp() throws IOException {
            putAll("lid");
            Path file = folder.resolve("lid");
            Files.setLastModifiedTime(file, FileTime.fromMillis(0));
            putAll("lid");
            assertThat(Files.getLastModifiedTime(file)).isGreaterThan(FileTime.fromMillis(0));
        }
    }
}
