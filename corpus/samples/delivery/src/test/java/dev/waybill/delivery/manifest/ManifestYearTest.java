package dev.waybill.delivery.manifest;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public class ManifestYearTest {

    @ClassRule
    public static final TemporaryFolder FOLDER = new TemporaryFolder();

    @Rule
    public final Timeout limit = Timeout.seconds(300);

    @Test
    public void savesAYearOfTours() throws IOException {
        ManifestArchive archive = new ManifestArchive(FOLDER.newFolder());
        for (int day = 1; day <= 365; day++) {
            archive.save("day-" + day, "P-" + day);
        }
        assertEquals(365, archive.names().size());
    }
}
