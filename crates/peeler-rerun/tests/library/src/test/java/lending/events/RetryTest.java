package lending.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryTest {
    private final List<Long> pauses = new ArrayList<>();
    private final Retry retry = new Retry(3, pauses::add);
    private int calls;

    private String succeedsAt(int call) throws IOException {
        calls++;
        if (calls < call) {
            throw new IOException("call " + calls);
        }
        return "done";
    }

    @Test
    void successNeedsNoPause() throws Exception {
        assertEquals("done", retry.call(() -> succeedsAt(1)));
        assertTrue(pauses.isEmpty());
    }

    @Test
    void failureIsTriedAgain() throws Exception {
        assertEquals("done", retry.call(() -> succeedsAt(2)));
        assertEquals(2, calls);
    }

    @Test
    void pausesGrow() throws Exception {
        retry.call(() -> succeedsAt(3));
        assertEquals(List.of(100L, 200L), pauses);
    }

    @Test
    void lastFailureIsTheError() {
        IOException error = assertThrows(IOException.class, () -> retry.call(() -> succeedsAt(4)));
        assertEquals("call 3", error.getMessage());
    }
}
