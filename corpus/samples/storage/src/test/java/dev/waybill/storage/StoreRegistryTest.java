package dev.waybill.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Paths;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class StoreRegistryTest {

    private final StoreRegistry registry = StoreRegistry.getInstance();

    @Nested
    class SharedWithTheProcess {

        @Test
        void startsEmpty() {
            assertThat(registry.isEmpty()).isTrue();
        }

        @Test
        void registeredStoreIsFound() {
            BlobStore store = new BlobStore(Paths.get("invoices"));
            registry.register("invoices", store);
            assertThat(registry.store("invoices")).isSameAs(store);
        }

        @Test
        void invoicesAreStored() {
            assertThat(registry.store("invoices")).isNotNull();
        }

        @Test
        void mainStoreIsTheDefault() {
            assertThat(registry.defaultName()).isEqualTo("main");
        }

        @Test
        void defaultCanBeChanged() {
            registry.useAsDefault("archive");
            assertThat(registry.defaultName()).isEqualTo("archive");
        }
    }

    @Nested
    class AfterReset {

        @BeforeEach
        void reset() {
            registry.reset();
        }

        @Test
        void startsEmpty() {
            assertThat(registry.isEmpty()).isTrue();
        }

        @Test
        void unknownStoreIsAnError() {
            assertThatThrownBy(() -> registry.store("invoices")).isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void mainStoreIsTheDefault() {
            assertThat(registry.defaultName()).isEqualTo("main");
        }
    }
}
