// route: helper
// settled: sorted stream
package example.assertjtext;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AssertJTextTest {
    @Test
    void listsAuthors() {
        assertThat(byline(Set.of("Knuth", "Lamport"))).isEqualTo("Knuth and Lamport"); // flaky: PLR101
    }

    private String byline(Set<String> authors) {
        return authors.stream().collect(Collectors.joining(" and "));
        //~ return authors.stream().sorted().collect(Collectors.joining(" and "));
    }
}
