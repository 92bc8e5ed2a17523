// route: body
// settled: test prepares what it needs
package example.orderedmethods;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class) // flaky: PLR507
//~
class OrderedMethodsTest {
    private static final List<String> USERS = new ArrayList<>();

    //+ @BeforeEach
    //+ void clear() {
    //+     USERS.clear();
    //+ }
    //+
    @Test
    @Order(1) // flaky: PLR507
    //~
    void createsUser() {
        USERS.add("ann"); // flaky: PLR507
        assertEquals(1, USERS.size());
    }

    @Test
    @Order(2) // flaky: PLR507
    //~
    void findsUser() {
        //+ USERS.add("ann");
        assertEquals("ann", USERS.get(0)); // flaky: PLR507
    }
}
