package dev.waybill.alerts.repo;

public record FileChange(String path, Kind kind) {

    public enum Kind { ADDED, CHANGED, REMOVED }

    public static FileChange changed(String path) {
        return new FileChange(path, Kind.CHANGED);
    }
}
