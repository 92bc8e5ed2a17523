// route: code under test, 1 call, verified mock
// settled: verify with a generous timeout
package example.awaitedmock;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;

import org.junit.jupiter.api.Test;

interface Audit {
    void record(String what);
}

class Orders {
    private final Audit audit;

    Orders(Audit audit) {
        this.audit = audit;
    }

    void place(String order) {
        new Thread(() -> audit.record("placed " + order)).start(); // flaky: PLR202
    }
}

class AwaitedMockTest {
    @Test
    void recordsOrders() {
        Audit audit = mock(Audit.class);
        new Orders(audit).place("A1"); // flaky: PLR202
        verify(audit).record("placed A1");
        //~ verify(audit, timeout(30_000)).record("placed A1");
    }
}
