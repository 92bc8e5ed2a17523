// route: helper
// settled: join
package example.busyyield;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BusyYieldTest {
    private volatile boolean finished;

    private void giveWay(Thread thread) throws InterruptedException {
        Thread.yield(); // flaky: PLR207
        //~ thread.join();
    }

    @Test
    void finishes() throws Exception {
        Thread thread = new Thread(() -> finished = true);
        thread.start();
        giveWay(thread);
        assertTrue(finished);
    }
}
