// route: code under test, 1 call, captured argument
// settled: sorted stream
package example.capturedargument;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

interface Publisher {
    void publish(List<String> events);
}

class Outbox {
    private final Set<String> pending = new HashSet<>(); // flaky: PLR102
    private final Publisher publisher;

    Outbox(Publisher publisher) {
        this.publisher = publisher;
    }

    void add(String event) {
        pending.add(event);
    }

    void flush() {
        publisher.publish(pending.stream().toList());
        //~ publisher.publish(pending.stream().sorted().toList());
    }
}

class CapturedArgumentTest {
    @Test
    void publishesPendingEvents() {
        Publisher publisher = mock(Publisher.class);
        Outbox outbox = new Outbox(publisher);
        outbox.add("created");
        outbox.add("paid");
        outbox.flush();
        verify(publisher).publish(List.of("created", "paid"));
    }
}
