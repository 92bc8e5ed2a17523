// route: superclass
// settled: local fake
package example.networkinsuperclass;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import org.junit.Test;

abstract class LookupTestCase {
    protected boolean reachable(String host) {
        try {
            return InetAddress.getByName(host) != null; // flaky: PLR402
        } catch (IOException error) {
            return false;
        }
    }
}

public class NetworkInSuperclassTest extends LookupTestCase {
    @Test
    public void findsHost() {
        assertTrue(reachable("repo.maven.apache.org")); // flaky: PLR402
        //~ assertTrue(reachable("localhost"));
    }
}
