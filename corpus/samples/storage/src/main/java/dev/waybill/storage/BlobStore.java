package dev.waybill.storage;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Keeps named blobs as files below one folder. */
public final class BlobStore {

    private final Path root;

    public BlobStore(Path root) {
        this.root = root;
    }

    public void put(String name, byte[] content) throws IOException {
        Files.write(root.resolve(name), content);
    }

    public byte[] get(String name) throws IOException {
        return Files.readAllBytes(root.resolve(name));
    }

    public boolean delete(String name) throws IOException {
        return Files.deleteIfExists(root.resolve(name));
    }

    public List<String> list() {
        List<String> names = new ArrayList<>();
        String[] found = root.toFile().list();
        if (found != null) {
            for (String name : found) {
                names.add(name);
            }
        }
        return names;
    }

    public List<String> listSorted() throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            return files.map(file -> file.getFileName().toString()).sorted().collect(Collectors.toList());
        }
    }

    /** Some blob of the store, if there is any. */
    public Optional<String> any() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(root)) {
            for (Path file : files) {
                return Optional.of(file.getFileName().toString());
            }
        }
        return Optional.empty();
    }

    public long totalSize() {
        long size = 0;
        File[] files = root.toFile().listFiles();
        if (files != null) {
            for (File file : files) {
                size += file.length();
            }
        }
        return size;
    }
}
