// route: setup
// settled: hasItems
package example.hasitems;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasItems;

import java.util.Collection;
import java.util.HashSet;
import org.junit.Before;
import org.junit.Test;

public class HasItemsTest {
    private Collection<String> guests;

    @Before
    public void invite() {
        guests = new HashSet<>(); // flaky: PLR102
        guests.add("ann");
        guests.add("bob");
    }

    @Test
    public void invitesBoth() {
        assertThat(guests, contains("ann", "bob"));
        //~ assertThat(guests, hasItems("ann", "bob"));
    }
}
