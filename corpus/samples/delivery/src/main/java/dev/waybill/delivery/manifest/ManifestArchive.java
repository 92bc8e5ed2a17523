package dev.waybill.delivery.manifest;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Loading lists of past tours, one text file each. */
public final class ManifestArchive {

    private final File folder;

    public ManifestArchive(File folder) {
        this.folder = folder;
    }

    /** The archive all tools of this machine share. */
    public static ManifestArchive shared() {
        File folder = new File(System.getProperty("java.io.tmpdir"), "waybill-manifests");
        folder.mkdirs();
        return new ManifestArchive(folder);
    }

    public File save(String name, String... parcelIds) throws IOException {
        File file = new File(folder, name + ".txt");
        Files.write(file.toPath(), Arrays.asList(parcelIds), StandardCharsets.UTF_8);
        return file;
    }

    public List<String> load(String name) throws IOException {
        return Files.readAllLines(new File(folder, name + ".txt").toPath(), StandardCharsets.UTF_8);
    }

    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (File file : files()) {
            names.add(file.getName().replace(".txt", ""));
        }
        return names;
    }

    public List<String> sortedNames() {
        List<String> names = names();
        Collections.sort(names);
        return names;
    }

    public File latest() {
        File latest = null;
        for (File file : files()) {
            if (latest == null || file.lastModified() > latest.lastModified()) {
                latest = file;
            }
        }
        return latest;
    }

    private File[] files() {
        File[] files = folder.listFiles((dir, name) -> name.endsWith(".txt"));
        return files == null ? new File[0] : files;
    }
}
