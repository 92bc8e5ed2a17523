// route: superclass
// settled: reference cleared by hand
package example.gchelper;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

abstract class MemoryTestCase {
    protected void collect(WeakReference<?> reference) {
        System.gc(); // flaky: PLR208
        //~ reference.clear();
    }
}

class GcHelperTest extends MemoryTestCase {
    @Test
    void releases() {
        WeakReference<byte[]> buffer = new WeakReference<>(new byte[1024]);
        collect(buffer);
        assertTrue(buffer.get() == null);
    }
}
