// route: superclass
// settled: join
package example.superclassstarts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

abstract class WorkerTestCase {
    protected Thread start(Runnable work) {
        Thread thread = new Thread(work);
        thread.start(); // flaky: PLR202
        return thread;
    }
}

class SuperclassStartsTest extends WorkerTestCase {
    private volatile int result;

    @Test
    void computes() throws Exception {
        Thread worker = start(() -> result = 42); // flaky: PLR202
        //+ worker.join();
        assertEquals(42, result);
    }
}
