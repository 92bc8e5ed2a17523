// route: library
// settled: ImmutableSortedSet
package example.guavafirst;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Iterables;
import com.google.common.collect.Sets;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GuavaFirstTest {
    @Test
    void picksFirstLocale() {
        Set<String> locales = Sets.newHashSet("de", "en", "fr"); // flaky: PLR103
        //~ Set<String> locales = ImmutableSortedSet.of("de", "en", "fr");
        assertEquals("de", Iterables.getFirst(locales, "none"));
    }
}
