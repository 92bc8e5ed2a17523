package dev.waybill.alerts.repo;

import java.util.Arrays;
import java.util.List;

public record Commit(String id, String author, List<FileChange> changes) {

    public static Commit of(String id, String author, String... paths) {
        return new Commit(id, author, Arrays.stream(paths).map(FileChange::changed).toList());
    }
}
