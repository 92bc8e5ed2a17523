// route: field of the code under test, through its constructor
// settled: List
package example.tostringofholder;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

class Team {
    private final Collection<String> members;

    Team(Collection<String> members) {
        this.members = members;
    }

    @Override
    public String toString() {
        return "Team{members=" + members + '}';
    }
}

class ToStringOfHolderTest {
    @Test
    void hasReadableText() {
        Team team = new Team(new HashSet<>(Arrays.asList("ann", "bob"))); // flaky: PLR101
        //~ Team team = new Team(new ArrayList<>(Arrays.asList("ann", "bob")));
        assertEquals("Team{members=[ann, bob]}", team.toString());
    }
}
