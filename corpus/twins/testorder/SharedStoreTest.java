// route: code under test, static store
// settled: cleared in teardown
package example.sharedstore;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UserStore {
    private static final Map<Integer, String> USERS = new ConcurrentHashMap<>();

    void save(int id, String name) {
        USERS.put(id, name); // flaky: PLR508 PLR501
    }

    int count() {
        return USERS.size();
    }

    void deleteAll() {
        USERS.clear();
    }
}

class SharedStoreTest {
    private final UserStore store = new UserStore();

    //+ @AfterEach
    //+ void clean() {
    //+     store.deleteAll();
    //+ }
    //+
    @Test
    void savesUser() {
        store.save(1, "ann"); // flaky: PLR508 PLR501
        assertEquals(1, store.count());
    }

    @Test
    void hasNoUsers() {
        assertEquals(0, store.count());
    }
}
