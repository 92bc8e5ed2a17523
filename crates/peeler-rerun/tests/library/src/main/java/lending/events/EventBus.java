package lending.events;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Tells everybody who wants to know. */
public final class EventBus {
    private final List<Consumer<String>> listeners = new ArrayList<>();
    private final List<RuntimeException> errors = new ArrayList<>();

    public Runnable subscribe(Consumer<String> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    public int publish(String event) {
        int told = 0;
        for (Consumer<String> listener : new ArrayList<>(listeners)) {
            try {
                listener.accept(event);
                told++;
            } catch (RuntimeException e) {
                errors.add(e);
            }
        }
        return told;
    }

    public List<RuntimeException> errors() {
        return errors;
    }
}
