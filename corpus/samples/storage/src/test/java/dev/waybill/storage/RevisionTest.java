package dev.waybill.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RevisionTest {

    private static int revision;

    private static int commit() {
        return ++revision;
    }

    @Test
    void firstCommitIsRevisionOne() {
        assertThat(commit()).isEqualTo(1);
    }

    @Test
    void everyCommitRaisesTheRevision() {
        int before = commit();
        assertThat(commit()).isGreaterThan(before);
    }
}
