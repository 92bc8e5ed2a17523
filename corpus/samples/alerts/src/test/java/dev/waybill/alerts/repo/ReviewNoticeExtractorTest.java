package dev.waybill.alerts.repo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReviewNoticeExtractorTest {

    private static final List<Commit> COMMITS = List.of(
            Commit.of("a1", "anna", "rates/eu.csv", "docs/rates.md"),
            Commit.of("b2", "bo", "rates/eu.csv", "rates/uk.csv"),
            Commit.of("c3", "anna"));

    private final ReviewNoticeExtractor extractor = new ReviewNoticeExtractor();

    @Test
    void firstPathIsTheOneChangedFirst() {
        String[] paths = extractor.paths(COMMITS);
        assertEquals(3, paths.length);
        assertEquals("rates/eu.csv", paths[0]);
    }

    @Test
    void authorsComeInTheOrderOfTheirCommits() {
        assertArrayEquals(new String[] {"anna", "bo"}, extractor.authors(COMMITS));
    }
}
