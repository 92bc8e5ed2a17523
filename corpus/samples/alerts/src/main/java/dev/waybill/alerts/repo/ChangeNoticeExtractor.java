package dev.waybill.alerts.repo;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds out what a push is about. */
public final class ChangeNoticeExtractor {

    /** Every touched path once. */
    public String[] paths(List<Commit> commits) {
        Set<String> paths = new HashSet<>();
        for (Commit commit : commits) {
            collect(commit, paths);
        }
        return paths.toArray(new String[0]);
    }

    public String subject(RepoEvent event) {
        if (event instanceof RepoEvent.Push push) {
            return "Push to " + push.branch() + ": " + String.join(" ", paths(push.commits()));
        }
        if (event instanceof RepoEvent.Release release) {
            return "Release " + release.version();
        }
        throw new IllegalArgumentException("Unexpected event: " + event);
    }

    private void collect(Commit commit, Set<String> paths) {
        for (FileChange change : commit.changes()) {
            paths.add(change.path());
        }
    }
}
