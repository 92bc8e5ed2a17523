package dev.waybill.alerts.repo;

import java.util.List;

/** Something that happened in the repository of rate cards. */
public sealed interface RepoEvent permits RepoEvent.Push, RepoEvent.Release {

    record Push(String branch, List<Commit> commits) implements RepoEvent {
    }

    record Release(String version) implements RepoEvent {
    }
}
