// route: body
// settled: reference cleared by hand
package example.collectedreference;

import static org.junit.Assert.assertNull;

import java.lang.ref.WeakReference;
import org.junit.Test;

public class CollectedReferenceTest {
    @Test
    public void isCollected() {
        WeakReference<Object> reference = new WeakReference<>(new Object());
        System.gc(); // flaky: PLR208
        //~ reference.clear();
        assertNull(reference.get());
    }
}
