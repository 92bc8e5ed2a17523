// route: code under test, 1 call
// settled: value given
package example.username;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class Signature {
    String sign(String text) {
        return sign(text, System.getProperty("user.name")); // flaky: PLR306
    }

    String sign(String text, String name) {
        return text + " -- " + name;
    }
}

class UserNameTest {
    @Test
    void signs() {
        String signed = new Signature().sign("Hello");
        //~ String signed = new Signature().sign("Hello", "root");
        assertEquals("Hello -- root", signed);
    }
}
