// route: body, verified mock
// settled: latch
package example.sleepbeforeverify;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import java.util.concurrent.CountDownLatch;
import org.junit.Test;

interface Bell {
    void ring();
}

public class SleepBeforeVerifyTest {
    @Test
    public void rings() throws Exception {
        Bell bell = mock(Bell.class);
        CountDownLatch rung = new CountDownLatch(1);
        Thread ringer = new Thread(() -> {
            bell.ring();
            rung.countDown();
        });
        ringer.start();
        Thread.sleep(300); // flaky: PLR201
        //~ rung.await();
        verify(bell).ring();
    }
}
