// route: field of the test
// settled: compared as sets
package example.permissiontext;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PermissionTextTest {
    private final Set<String> permissions = new HashSet<>(Arrays.asList("read", "write")); // flaky: PLR101

    @Test
    void showsPermissions() {
        assertEquals("[read, write]", permissions.toString());
        //~ assertEquals(Set.of("read", "write"), permissions);
    }
}
