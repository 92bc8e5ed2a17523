// route: superclass
// settled: TreeSet
package example.rolereport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

abstract class ReportTestCase {
    protected final Set<String> roles = new HashSet<>(); // flaky: PLR101
    //~ protected final Set<String> roles = new TreeSet<>();

    protected void grant(String... names) {
        roles.addAll(Arrays.asList(names));
    }
}

class RoleReportTest extends ReportTestCase {
    @Test
    void reportsGrantedRoles() {
        grant("admin", "editor");
        assertEquals("Roles: [admin, editor]", "Roles: " + roles);
    }
}
