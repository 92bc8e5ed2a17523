package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReminderServiceTest {
    private final ReminderService service = new ReminderService();

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void reminderIsSent() throws InterruptedException {
        service.remind("Ada", "Emma");
        Thread.sleep(20);
        assertEquals(List.of("Ada: Emma"), service.sent());
    }

    @Test
    void nothingIsSentWithoutAReminder() throws InterruptedException {
        Thread.sleep(20);
        assertTrue(service.sent().isEmpty());
    }
}
