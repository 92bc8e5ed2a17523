// route: code under test, 6 calls
// settled: LinkedHashSet filled in a defined order
package example.removedduplicates;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class Search {
    List<String> run(String query) {
        return new Engine().hits(query);
    }
}

class Engine {
    List<String> hits(String query) {
        return new Ranker().ranked(query);
    }
}

class Ranker {
    List<String> ranked(String query) {
        return new Reader().read(query);
    }
}

class Reader {
    List<String> read(String query) {
        return new Filter().filtered(Arrays.asList(query.split(" ")));
    }
}

class Filter {
    List<String> filtered(List<String> words) {
        return new Merger().merged(words);
    }
}

class Merger {
    List<String> merged(List<String> words) {
        return new ArrayList<>(new HashSet<>(words)); // flaky: PLR102
        //~ return new ArrayList<>(new LinkedHashSet<>(words));
    }
}

class RemovedDuplicatesTest {
    @Test
    void returnsEachHitOnce() {
        assertEquals(List.of("cat", "dog"), new Search().run("cat dog cat"));
    }
}
