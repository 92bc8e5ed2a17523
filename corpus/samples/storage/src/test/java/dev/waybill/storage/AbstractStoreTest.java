package dev.waybill.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

abstract class AbstractStoreTest {

    @TempDir
    protected Path folder;

    protected BlobStore store;

    @BeforeEach
    void openStore() {
        store = new BlobStore(folder);
    }

    protected void putAll(String... names) throws IOException {
        for (String name : names) {
            store.put(name, name.getBytes(StandardCharsets.UTF_8));
        }
    }
}
