// route: superclass
// settled: sort
package example.parallelinsuperclass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

abstract class CrawlTestCase {
    protected List<String> crawl(List<String> pages) {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        pages.parallelStream().forEach(page -> seen.add("/" + page)); // flaky: PLR109
        //+ Collections.sort(seen);
        return seen;
    }
}

class ParallelInSuperclassTest extends CrawlTestCase {
    @Test
    void crawlsPages() {
        assertEquals(List.of("/a", "/b", "/c"), crawl(List.of("a", "b", "c")));
    }
}
