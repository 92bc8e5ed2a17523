// route: body
// settled: generous limit
package example.mocktimeout;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;

import org.junit.Test;

public class MockTimeoutTest {
    @Test
    public void runsLater() {
        Runnable task = mock(Runnable.class);
        new Thread(task).start();
        verify(task, timeout(10)).run(); // flaky: PLR203
        //~ verify(task, timeout(60_000)).run();
    }
}
