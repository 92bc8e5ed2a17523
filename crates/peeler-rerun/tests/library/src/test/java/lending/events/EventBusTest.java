package lending.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventBusTest {
    private final EventBus bus = new EventBus();
    private final List<String> heard = new ArrayList<>();

    @Test
    void everybodyIsTold() {
        bus.subscribe(it -> heard.add("one " + it));
        bus.subscribe(it -> heard.add("two " + it));
        assertEquals(2, bus.publish("returned"));
        assertEquals(List.of("one returned", "two returned"), heard);
    }

    @Test
    void nobodyIsTold() {
        assertEquals(0, bus.publish("returned"));
    }

    @Test
    void whoLeavesHearsNoMore() {
        Runnable leave = bus.subscribe(heard::add);
        bus.publish("lent");
        leave.run();
        bus.publish("returned");
        assertEquals(List.of("lent"), heard);
    }

    @Test
    void failureOfOneDoesNotStopOthers() {
        bus.subscribe(it -> {
            throw new IllegalStateException(it);
        });
        bus.subscribe(heard::add);
        assertEquals(1, bus.publish("lent"));
        assertEquals("lent", bus.errors().get(0).getMessage());
    }

    @Test
    void newListenerDoesNotHearTheSameEvent() {
        bus.subscribe(it -> bus.subscribe(heard::add));
        bus.publish("lent");
        assertTrue(heard.isEmpty());
    }
}
