// route: superclass
// settled: super called
package example.superteardown;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

abstract class ResourceTestCase {
    protected final Deque<String> open = new ArrayDeque<>();

    @AfterEach
    void tearDown() {
        open.clear();
    }
}

class SuperTeardownTest extends ResourceTestCase {
    @AfterEach
    @Override
    void tearDown() { // flaky: PLR603
        //+ super.tearDown();
        assertNotNull(open);
    }

    @Test
    void opens() {
        open.push("file");
        assertEquals(1, open.size());
    }
}
