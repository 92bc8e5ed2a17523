// route: library
// settled: equals between multisets
package example.multiset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import java.util.List;
import org.junit.jupiter.api.Test;

class MultisetTest {
    @Test
    void countsVotes() {
        Multiset<String> votes = HashMultiset.create(List.of("yes", "no", "yes")); // flaky: PLR101
        assertEquals("[yes x 2, no]", votes.toString());
        //~ assertEquals(HashMultiset.create(List.of("no", "yes", "yes")), votes);
    }
}
