// route: lambda, stubbed mock
// settled: LinkedHashSet filled in a defined order
package example.mockreturnsset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

interface Directory {
    Set<String> users();
}

class Welcome {
    String text(Directory directory) {
        return "Hello " + String.join(" and ", directory.users());
    }
}

class MockReturnsSetTest {
    @Test
    void greetsUsers() {
        Directory directory = mock(Directory.class);
        when(directory.users()).thenReturn(new HashSet<>(List.of("ann", "bob"))); // flaky: PLR101
        //~ when(directory.users()).thenReturn(new LinkedHashSet<>(List.of("ann", "bob")));
        assertEquals("Hello ann and bob", new Welcome().text(directory));
    }
}
