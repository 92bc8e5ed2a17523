// route: code under test, 3 calls
// settled: generator given
package example.generatedkey;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class Tokens {
    private final Supplier<String> generator;

    Tokens(Supplier<String> generator) {
        this.generator = generator;
    }

    String issue(String user) {
        return user + "." + part();
    }

    private String part() {
        return generator.get().substring(0, 4);
    }
}

class GeneratedKeyTest {
    @Test
    void issuesToken() {
        Tokens tokens = new Tokens(() -> UUID.randomUUID().toString()); // flaky: PLR303
        //~ Tokens tokens = new Tokens(() -> "abcd-ef");
        assertEquals("ann.abcd", tokens.issue("ann"));
    }
}
