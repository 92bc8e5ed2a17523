package dev.waybill.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Paths;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class StoreLocationsTest {

    @Test
    void rootIsBelowTheHomeFolder() {
        String home = System.getProperty("user.home");
        assertThat(new StoreLocations().root()).isEqualTo(Paths.get(home, ".waybill"));
    }

    @Test
    void rootIsBelowTheGivenHomeFolder() {
        StoreLocations locations = new StoreLocations(Collections.emptyMap(), "/srv/anna");
        assertThat(locations.root()).isEqualTo(Paths.get("/srv/anna/.waybill"));
    }

    @Test
    void rootCanBeConfigured() {
        StoreLocations locations = new StoreLocations(Collections.singletonMap("WAYBILL_HOME", "/data"), "/srv/anna");
        assertThat(locations.cache()).isEqualTo(Paths.get("/data/cache"));
    }

    @Test
    void searchPathIsKnown() {
        assertThat(System.getenv("PATH")).contains("/usr/bin");
    }
}
