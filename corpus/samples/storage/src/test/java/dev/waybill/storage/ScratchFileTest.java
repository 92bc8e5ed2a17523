package dev.waybill.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchFileTest {

    @Test
    void keepsNotes() throws IOException {
        ScratchFile scratch = new ScratchFile();
        scratch.append("count the lids");
        scratch.append("order tea");
        assertThat(scratch.notes()).containsExactly("count the lids", "order tea");
    }

    @Test
    void keepsNotesInGivenFolder(@TempDir Path folder) throws IOException {
        ScratchFile scratch = new ScratchFile(folder.resolve("notes.txt").toFile());
        scratch.append("count the lids");
        scratch.append("order tea");
        assertThat(scratch.notes()).containsExactly("count the lids", "order tea");
    }

    @Test
    void keepsNotesInUniqueFile() throws IOException {
        File file = File.createTempFile("scratch", ".txt");
        try {
            ScratchFile scratch = new ScratchFile(file);
            scratch.append("order tea");
            assertThat(scratch.notes()).hasSize(1);
        } finally {
            Files.delete(file.toPath());
        }
    }

    @Test
    void lockFileIsOurs() throws IOException {
        File lock = new File("/tmp/waybill-store.lock");
        assertThat(lock.createNewFile()).isTrue();
        lock.deleteOnExit();
    }

    @Test
    void readsCatalogueFromTheClassPath() throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                ScratchFileTest.class.getResourceAsStream("/catalogue.txt"), StandardCharsets.UTF_8))) {
            assertThat(reader.lines()).containsExactly("tea-leaves", "tea-bags", "spare-lids");
        }
    }
}
