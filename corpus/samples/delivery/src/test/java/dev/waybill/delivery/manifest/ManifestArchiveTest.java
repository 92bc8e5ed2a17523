package dev.waybill.delivery.manifest;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ManifestArchiveTest {

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private ManifestArchive archive;

    @Before
    public void setUp() {
        archive = new ManifestArchive(folder.getRoot());
    }

    @Test
    public void savedManifestCanBeLoaded() throws IOException {
        archive.save("north", "P-1", "P-2");
        assertEquals(Arrays.asList("P-1", "P-2"), archive.load("north"));
    }

    @Test
    public void listsManifests() throws IOException {
        archive.save("east");
        archive.save("north");
        archive.save("west");
        assertEquals(Arrays.asList("east", "north", "west"), archive.names());
    }

    @Test
    public void listsManifestsByName() throws IOException {
        archive.save("west");
        archive.save("east");
        archive.save("north");
        assertEquals(Arrays.asList("east", "north", "west"), archive.sortedNames());
    }

    @Test
    public void listsAllManifests() throws IOException {
        archive.save("west");
        archive.save("east");
        assertThat(archive.names(), containsInAnyOrder("east", "west"));
    }

    @Test
    public void listsOnlyManifest() throws IOException {
        archive.save("west");
        assertTrue(folder.newFile("notes.md").exists());
        assertEquals(Collections.singletonList("west"), archive.names());
    }

    @Test
    public void latestManifestIsTheLastOneSaved() throws IOException {
        archive.save("north");
        File second = archive.save("west");
        assertEquals(second, archive.latest());
    }

    @Test
    public void latestManifestHasTheLatestTimestamp() throws IOException {
        File north = archive.save("north");
        File west = archive.save("west");
        assertTrue(north.setLastModified(1_600_000_500_000L));
        assertTrue(west.setLastModified(1_600_000_000_000L));
        assertEquals(north, archive.latest());
    }
}
