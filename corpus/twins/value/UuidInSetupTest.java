// route: setup
// settled: both sides from the same value
package example.uuidinsetup;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UuidInSetupTest {
    private String id;
    private Map<String, String> users;

    @BeforeEach
    void create() {
        id = UUID.randomUUID().toString(); // flaky: PLR303
        users = Map.of(id, "ann");
    }

    @Test
    void findsUser() {
        assertTrue(users.containsKey(UUID.randomUUID().toString())); // flaky: PLR303
        //~ assertTrue(users.containsKey(id));
    }
}
