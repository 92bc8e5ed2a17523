// route: field of the code under test, through its constructor
// settled: executor that runs in the same thread
package example.samethreadexecutor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class Publisher {
    private final Executor executor;

    Publisher(Executor executor) {
        this.executor = executor;
    }

    void publish(String text, Consumer<String> reader) {
        executor.execute(() -> reader.accept(text)); // flaky: PLR202
    }
}

class SameThreadExecutorTest {
    @Test
    void publishes() {
        List<String> read = new CopyOnWriteArrayList<>();
        Publisher publisher = new Publisher(Executors.newCachedThreadPool()); // flaky: PLR202
        //~ Publisher publisher = new Publisher(Runnable::run);
        publisher.publish("news", read::add); // flaky: PLR202
        assertEquals(List.of("news"), read);
    }
}
