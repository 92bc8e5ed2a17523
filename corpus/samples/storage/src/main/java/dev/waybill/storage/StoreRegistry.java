package dev.waybill.storage;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The stores of this process by name. */
public final class StoreRegistry {

    private static final StoreRegistry INSTANCE = new StoreRegistry();

    private final Map<String, BlobStore> stores = new ConcurrentHashMap<>();
    private String defaultName = "main";

    private StoreRegistry() {
    }

    public static StoreRegistry getInstance() {
        return INSTANCE;
    }

    public void register(String name, BlobStore store) {
        stores.put(name, store);
    }

    public BlobStore store(String name) {
        BlobStore store = stores.get(name);
        if (store == null) {
            throw new IllegalArgumentException("No store named " + name);
        }
        return store;
    }

    public boolean isEmpty() {
        return stores.isEmpty();
    }

    public String defaultName() {
        return defaultName;
    }

    public void useAsDefault(String name) {
        defaultName = name;
    }

    public void reset() {
        stores.clear();
        defaultName = "main";
    }
}
