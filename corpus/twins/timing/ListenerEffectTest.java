// route: code under test, 3 calls
// settled: awaitTermination
package example.listenereffect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class EventBus {
    private final ExecutorService pool = Executors.newFixedThreadPool(2);
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

    void register(Consumer<String> listener) {
        listeners.add(listener);
    }

    void publish(String event) {
        for (Consumer<String> listener : listeners) {
            dispatch(listener, event);
        }
    }

    private void dispatch(Consumer<String> listener, String event) {
        pool.execute(() -> listener.accept(event)); // flaky: PLR202
    }

    boolean close() throws InterruptedException {
        pool.shutdown();
        return pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

class ListenerEffectTest {
    @Test
    void informsListeners() throws Exception {
        EventBus bus = new EventBus();
        List<String> events = new CopyOnWriteArrayList<>();
        bus.register(events::add);
        bus.publish("saved"); // flaky: PLR202
        //+ assertTrue(bus.close());
        assertEquals(List.of("saved"), events);
    }
}
