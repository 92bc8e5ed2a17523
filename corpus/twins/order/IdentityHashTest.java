// route: body
// settled: own hash of a value
package example.identityhash;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class IdentityHashTest {
    @Test
    public void keepsItsHash() {
        Object key = "key";
        int hash = System.identityHashCode(key); // flaky: PLR108
        //~ int hash = key.hashCode();
        assertEquals(106079, hash);
    }
}
