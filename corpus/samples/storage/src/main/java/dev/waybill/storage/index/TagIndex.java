package dev.waybill.storage.index;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Finds blobs by tag. */
public final class TagIndex {

    private final Map<String, Set<String>> blobsByTag = new HashMap<>();

    public TagIndex tag(String blob, String... tags) {
        for (String tag : tags) {
            blobsByTag.computeIfAbsent(tag, t -> new HashSet<>()).add(blob);
        }
        return this;
    }

    public Set<String> blobs(String tag) {
        return blobsByTag.getOrDefault(tag, Collections.emptySet());
    }

    public Set<String> tags() {
        return blobsByTag.keySet();
    }

    public String tagLine() {
        return String.join(", ", tags());
    }

    public String sortedTagLine() {
        return tags().stream().sorted().collect(Collectors.joining(", "));
    }

    public int uses() {
        int uses = 0;
        for (Set<String> blobs : blobsByTag.values()) {
            uses += blobs.size();
        }
        return uses;
    }

    /** Names grouped by their ending. */
    public static Map<String, List<String>> byEnding(List<String> names) {
        return names.stream().collect(Collectors.groupingBy(TagIndex::ending));
    }

    public static Map<String, List<String>> byEndingSorted(List<String> names) {
        return names.stream().collect(Collectors.groupingBy(TagIndex::ending, TreeMap::new, Collectors.toList()));
    }

    private static String ending(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
