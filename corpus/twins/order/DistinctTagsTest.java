// route: code under test, 3 calls
// settled: compared as sets
package example.distincttags;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TagService {
    List<String> suggestions(List<String> texts) {
        return new TagFinder().find(texts);
    }
}

class TagFinder {
    List<String> find(List<String> texts) {
        return List.copyOf(unique(texts));
    }

    private Set<String> unique(List<String> texts) {
        return texts.stream().map(String::toLowerCase).collect(Collectors.toSet()); // flaky: PLR102
    }
}

class DistinctTagsTest {
    @Test
    void suggestsEachTagOnce() {
        List<String> tags = new TagService().suggestions(List.of("Java", "rust", "JAVA"));
        assertEquals(List.of("java", "rust"), tags);
        //~ assertEquals(Set.of("java", "rust"), new HashSet<>(tags));
    }
}
