package dev.waybill.alerts.repo;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds out what a reviewer has to look at, first things first. */
public final class ReviewNoticeExtractor {

    public String[] paths(List<Commit> commits) {
        Set<String> paths = new LinkedHashSet<>();
        for (Commit commit : commits) {
            for (FileChange change : commit.changes()) {
                paths.add(change.path());
            }
        }
        return paths.toArray(new String[0]);
    }

    public String[] authors(List<Commit> commits) {
        return commits.stream().map(Commit::author).distinct().toArray(String[]::new);
    }
}
