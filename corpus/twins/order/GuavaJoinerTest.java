// route: library
// settled: ImmutableSortedSet
package example.guavajoiner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Sets;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GuavaJoinerTest {
    @Test
    void joinsCountries() {
        Set<String> countries = Sets.newHashSet("AT", "CH", "DE"); // flaky: PLR101
        //~ Set<String> countries = ImmutableSortedSet.of("AT", "CH", "DE");
        assertEquals("AT|CH|DE", Joiner.on('|').join(countries));
    }
}
