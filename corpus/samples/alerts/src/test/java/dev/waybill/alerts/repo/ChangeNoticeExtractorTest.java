package dev.waybill.alerts.repo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangeNoticeExtractorTest {

    private static final List<Commit> COMMITS = List.of(
            Commit.of("a1", "anna", "rates/eu.csv", "docs/rates.md"),
            Commit.of("b2", "bo", "rates/eu.csv", "rates/uk.csv"));

    private final ChangeNoticeExtractor extractor = new ChangeNoticeExtractor();

    @Test
    void firstPathIsTheOneChangedFirst() {
        String[] paths = extractor.paths(COMMITS);
        assertEquals(3, paths.length);
        assertEquals("rates/eu.csv", paths[0]);
    }

    @Test
    void pathOfSmallCommitIsFound() {
        String[] paths = extractor.paths(List.of(Commit.of("a1", "anna", "rates/eu.csv")));
        assertEquals("rates/eu.csv", paths[0]);
    }

    @Test
    void everyPathIsListedOnce() {
        assertEquals(3, extractor.paths(COMMITS).length);
    }

    @Test
    void allPathsAreListed() {
        String[] paths = extractor.paths(COMMITS);
        Arrays.sort(paths);
        assertArrayEquals(new String[] {"docs/rates.md", "rates/eu.csv", "rates/uk.csv"}, paths);
    }

    @Test
    void subjectOfPushNamesThePaths() {
        assertEquals("Push to main: rates/eu.csv docs/rates.md rates/uk.csv",
                extractor.subject(new RepoEvent.Push("main", COMMITS)));
    }

    @Test
    void subjectOfReleaseNamesTheVersion() {
        assertEquals("Release 4.2", extractor.subject(new RepoEvent.Release("4.2")));
    }
}
