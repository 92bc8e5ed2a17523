package dev.waybill.storage;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A file for notes that need not outlive the process. */
public final class ScratchFile {

    private final File file;

    public ScratchFile() {
        this(new File(System.getProperty("java.io.tmpdir"), "waybill-scratch.txt"));
    }

    public ScratchFile(File file) {
        this.file = file;
    }

    public void append(String note) throws IOException {
        byte[] line = (note + "\n").getBytes(StandardCharsets.UTF_8);
        Files.write(file.toPath(), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    public List<String> notes() throws IOException {
        return Files.readAllLines(file.toPath(), StandardCharsets.UTF_8);
    }

    public File file() {
        return file;
    }
}
