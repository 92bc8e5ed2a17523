package dev.waybill.storage.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TagIndexTest {

    private static final List<String> NAMES = Arrays.asList("photo.png", "plan.pdf", "scan.png", "notes.txt");

    private TagIndex index;

    @BeforeEach
    void setUp() {
        index = new TagIndex()
                .tag("photo-1", "paid", "export")
                .tag("photo-2", "open")
                .tag("photo-3", "paid");
    }

    @Test
    void findsBlobsByTag() {
        assertThat(index.blobs("paid")).containsExactly("photo-1", "photo-3");
    }

    @Test
    void findsAllBlobsByTag() {
        assertThat(index.blobs("paid")).containsExactlyInAnyOrder("photo-3", "photo-1");
    }

    @Test
    void findsOnlyBlobByTag() {
        assertThat(index.blobs("open").iterator().next()).isEqualTo("photo-2");
    }

    @Test
    void firstBlobByTagIsTheOldest() {
        assertThat(index.blobs("paid").stream().findFirst()).hasValue("photo-1");
    }

    @Test
    void smallestBlobByTagIsTheOldest() {
        assertThat(new TreeSet<>(index.blobs("paid")).first()).isEqualTo("photo-1");
    }

    @Test
    void printsTags() {
        assertThat(index.tagLine()).isEqualTo("paid, export, open");
    }

    @Test
    void printsTagsByName() {
        assertThat(index.sortedTagLine()).isEqualTo("export, open, paid");
    }

    @Test
    void countsUses() {
        assertThat(index.uses()).isEqualTo(4);
    }

    @Test
    void tagsCanBeSorted() {
        List<String> tags = new ArrayList<>(index.tags());
        Collections.sort(tags);
        assertThat(tags.toString()).isEqualTo("[export, open, paid]");
    }

    @Test
    void groupsNamesByEnding() {
        assertThat(TagIndex.byEnding(NAMES).toString())
                .isEqualTo("{txt=[notes.txt], pdf=[plan.pdf], png=[photo.png, scan.png]}");
    }

    @Test
    void groupsNamesBySortedEnding() {
        assertThat(TagIndex.byEndingSorted(NAMES).toString())
                .isEqualTo("{pdf=[plan.pdf], png=[photo.png, scan.png], txt=[notes.txt]}");
    }

    @Test
    void groupKeepsTheOrderOfNames() {
        assertThat(TagIndex.byEnding(NAMES)).contains(entry("png", Arrays.asList("photo.png", "scan.png")));
    }

    @Test
    void dropsDuplicateTags() {
        Set<String> tags = Stream.of("open", "paid", "open", "late").collect(Collectors.toSet());
        assertThat(tags.toString()).isEqualTo("[late, paid, open]");
    }

    @Test
    void dropsDuplicateTagsInTurn() {
        List<String> tags = Stream.of("open", "paid", "open", "late").distinct().collect(Collectors.toList());
        assertThat(tags.toString()).isEqualTo("[open, paid, late]");
    }
}
