package dev.waybill.delivery.support;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Runs the same action on several threads at once and waits for all of them. */
public final class ThreadBurst {

    private ThreadBurst() {
    }

    public static void run(int threads, int times, Runnable action) throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                for (int n = 0; n < times; n++) {
                    action.run();
                }
            });
            thread.start();
            started.add(thread);
        }
        go.countDown();
        for (Thread thread : started) {
            thread.join();
        }
    }
}
