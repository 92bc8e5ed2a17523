package dev.waybill.storage;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Map;

/** Where stores live unless told otherwise. */
public final class StoreLocations {

    private final Map<String, String> environment;
    private final String home;

    public StoreLocations() {
        this(System.getenv(), System.getProperty("user.home"));
    }

    public StoreLocations(Map<String, String> environment, String home) {
        this.environment = environment;
        this.home = home;
    }

    public Path root() {
        String configured = environment.get("WAYBILL_HOME");
        return configured != null ? Paths.get(configured) : Paths.get(home, ".waybill");
    }

    public Path cache() {
        return root().resolve("cache");
    }
}
