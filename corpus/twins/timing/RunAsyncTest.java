// route: code under test, 1 call
// settled: CompletableFuture join
package example.runasync;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class Indexer {
    private final Map<String, Integer> index = new ConcurrentHashMap<>();

    CompletableFuture<Void> index(String word) {
        return CompletableFuture.runAsync(() -> index.merge(word, 1, Integer::sum)); // flaky: PLR202
    }

    int count(String word) {
        return index.getOrDefault(word, 0);
    }
}

class RunAsyncTest {
    @Test
    void indexesWords() {
        Indexer indexer = new Indexer();
        CompletableFuture<Void> indexed = indexer.index("tree"); // flaky: PLR202
        //+ indexed.join();
        assertEquals(1, indexer.count("tree"));
    }
}
