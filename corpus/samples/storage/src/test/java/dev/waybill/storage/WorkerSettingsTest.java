package dev.waybill.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkerSettingsTest {

    @Test
    void worksInParallel() {
        assertThat(new WorkerSettings().isParallel()).isTrue();
    }

    @Test
    void leavesOneProcessorAlone() {
        assertThat(new WorkerSettings(8).threads()).isEqualTo(7);
        assertThat(new WorkerSettings(1).threads()).isEqualTo(1);
    }

    @Test
    void alwaysHasAThread() {
        assertThat(new WorkerSettings().threads()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void buildRunsAsRoot() {
        assertThat(WorkerSettings.owner()).isEqualTo("root");
    }

    @Test
    void leavesEnoughMemory() {
        assertThat(Runtime.getRuntime().freeMemory()).isGreaterThan(8L * 1024 * 1024);
    }
}
