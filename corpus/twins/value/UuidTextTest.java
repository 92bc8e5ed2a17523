// route: code under test, 1 call
// settled: id given
package example.uuidtext;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class Ticket {
    final String id;

    Ticket() {
        this(UUID.randomUUID().toString()); // flaky: PLR303
    }

    Ticket(String id) {
        this.id = id;
    }
}

class UuidTextTest {
    @Test
    void startsWithLetter() {
        Ticket ticket = new Ticket();
        //~ Ticket ticket = new Ticket("a1b2");
        assertTrue(ticket.id.startsWith("a"));
    }
}
