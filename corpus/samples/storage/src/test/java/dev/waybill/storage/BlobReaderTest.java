package dev.waybill.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BlobReaderTest {

    private static final byte[] TEA = "tea".getBytes(StandardCharsets.UTF_8);

    @Nested
    class OnTheSystemTable {

        @Test
        void readsManyBlobs() {
            for (int i = 0; i < 6; i++) {
                BlobReader reader = new BlobReader(TEA);
                assertThat(reader.text()).isEqualTo("tea");
            }
        }

        @Test
        void readsBlobsSideBySide() {
            BlobReader[] readers = new BlobReader[5];
            for (int i = 0; i < readers.length; i++) {
                readers[i] = new BlobReader(TEA);
            }
            for (BlobReader reader : readers) {
                assertThat(reader.read()).isEqualTo('t');
            }
        }
    }

    @Nested
    class OnATableOfItsOwn {

        private final HandleTable handles = new HandleTable(4);

        @Test
        void readsManyBlobs() {
            for (int i = 0; i < 100; i++) {
                try (BlobReader reader = new BlobReader(TEA, handles)) {
                    assertThat(reader.text()).isEqualTo("tea");
                }
            }
            assertThat(handles.size()).isZero();
        }

        @Test
        void readsBlobsSideBySide() {
            BlobReader first = new BlobReader(TEA, handles);
            BlobReader second = new BlobReader(TEA, handles);
            assertThat(first.read()).isEqualTo('t');
            assertThat(second.text()).isEqualTo("tea");
            assertThat(first.text()).isEqualTo("ea");
        }

        @Test
        void fullTableOpensNothing() {
            for (int i = 0; i < 4; i++) {
                new BlobReader(TEA, handles);
            }
            assertThatIllegalStateException().isThrownBy(() -> new BlobReader(TEA, handles));
        }
    }
}
