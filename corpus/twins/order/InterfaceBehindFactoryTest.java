// route: code under test, through an interface
// settled: TreeSet
package example.interfacebehindfactory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

interface Store {
    void keep(String item);

    List<String> items();
}

class MemoryStore implements Store {
    private final Set<String> items = new HashSet<>(); // flaky: PLR102
    //~ private final Set<String> items = new TreeSet<>();

    @Override
    public void keep(String item) {
        items.add(item);
    }

    @Override
    public List<String> items() {
        return new ArrayList<>(items);
    }
}

class Stores {
    static Store inMemory() {
        return new MemoryStore();
    }
}

class InterfaceBehindFactoryTest {
    private final Store store = Stores.inMemory();

    @Test
    void returnsKeptItems() {
        store.keep("bag");
        store.keep("hat");
        assertEquals(List.of("bag", "hat"), store.items());
    }
}
