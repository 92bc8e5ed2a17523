package dev.waybill.delivery.manifest;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.util.Collections;
import org.junit.Test;

public class SharedManifestTest {

    private final ManifestArchive archive = ManifestArchive.shared();

    @Test
    public void sharedArchiveStartsEmpty() {
        assertEquals(Collections.emptyList(), archive.names());
    }

    @Test
    public void sharedArchiveTakesManifest() throws IOException {
        archive.save("tour-1", "P-1");
        assertEquals(Collections.singletonList("tour-1"), archive.names());
    }

    @Test
    public void latestSharedManifestIsOurs() throws IOException {
        archive.save("tour-2", "P-2");
        assertEquals("tour-2.txt", archive.latest().getName());
    }
}
