package dev.waybill.delivery.manifest;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public class ManifestBulkTest {

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Rule
    public final Timeout limit = Timeout.millis(120);

    @Test
    public void savesAWeekOfTours() throws IOException {
        ManifestArchive archive = new ManifestArchive(folder.getRoot());
        for (int i = 0; i < 350; i++) {
            archive.save("tour-" + i, "P-" + i);
        }
        assertEquals(350, archive.names().size());
    }
}
