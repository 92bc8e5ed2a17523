// route: code under test, singleton
// settled: restored in teardown
package example.singletonregistry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class Registry {
    private static final Registry INSTANCE = new Registry();
    private final Map<String, String> entries = new ConcurrentHashMap<>();

    static Registry getInstance() {
        return INSTANCE;
    }

    void register(String name, String type) {
        entries.put(name, type); // flaky: PLR501 PLR508
    }

    int size() {
        return entries.size();
    }

    void clear() {
        entries.clear();
    }
}

class SingletonRegistryTest {
    //+ @AfterEach
    //+ void clear() {
    //+     Registry.getInstance().clear();
    //+ }
    //+
    @Test
    void registers() {
        Registry.getInstance().register("queue", "jms"); // flaky: PLR501 PLR508
        assertEquals(1, Registry.getInstance().size());
    }

    @Test
    void isEmptyAtFirst() {
        assertEquals(0, Registry.getInstance().size()); // flaky: PLR502
    }
}
