// route: code under test, 6 calls
// settled: length only
package example.securerandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

class Registration {
    String password() {
        return new Passwords().create();
    }
}

class Passwords {
    String create() {
        return new Policy().fresh();
    }
}

class Policy {
    String fresh() {
        return new Alphabet().letters(8);
    }
}

class Alphabet {
    String letters(int count) {
        return new Letters().pick(count);
    }
}

class Letters {
    String pick(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(next());
        }
        return text.toString();
    }

    private char next() {
        return (char) ('a' + new SecureRandom().nextInt(26)); // flaky: PLR302
    }
}

class SecureRandomTest {
    @Test
    void containsVowel() {
        String password = new Registration().password();
        assertTrue(password.contains("a"));
        //~ assertEquals(8, password.length());
    }
}
