// route: body
// settled: join without a limit
package example.limitedjoin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LimitedJoinTest {
    @Test
    void finishes() throws Exception {
        AtomicReference<String> result = new AtomicReference<>();
        Thread worker = new Thread(() -> result.set("done"));
        worker.start();
        worker.join(5000); // flaky: PLR206
        //~ worker.join();
        assertEquals("done", result.get());
    }
}
