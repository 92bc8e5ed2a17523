package dev.waybill.delivery.dispatch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class RetryPolicyTest {

    private final List<Long> pauses = new ArrayList<>();
    private int calls;

    @Test
    public void everyPauseIsTwiceAsLong() throws Exception {
        RetryPolicy policy = new RetryPolicy(4, 100, pauses::add);
        assertEquals("done", policy.call(succeedingAt(4)));
        assertEquals(Arrays.asList(100L, 200L, 400L), pauses);
    }

    @Test
    public void givesUpAfterTheLastAttempt() {
        RetryPolicy policy = new RetryPolicy(2, 100, pauses::add);
        assertThrows(IOException.class, () -> policy.call(succeedingAt(3)));
        assertEquals(2, calls);
    }

    @Test
    public void waitsBetweenAttempts() throws Exception {
        long start = System.nanoTime();
        new RetryPolicy(3, 20).call(succeedingAt(3));
        assertTrue(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) >= 50);
    }

    @Test
    public void doesNotWaitLongerThanNeeded() throws Exception {
        long start = System.currentTimeMillis();
        new RetryPolicy(3, 20).call(succeedingAt(3));
        long elapsed = System.currentTimeMillis() - start;
        assertTrue("took " + elapsed + " ms", elapsed <= 65);
    }

    private Callable<String> succeedingAt(int attempt) {
        return () -> {
            calls++;
            if (calls < attempt) {
                throw new IOException("attempt " + calls);
            }
            return "done";
        };
    }
}
