// route: code under test, 3 calls
// settled: reset in setup
package example.cachedconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class Config {
    private static String cached;

    static String get() {
        return load();
    }

    private static String load() {
        if (cached == null) {
            cached = "default";
        }
        return cached;
    }

    static void override(String value) {
        cached = value; // flaky: PLR501 PLR502
    }

    static void reset() {
        cached = null;
    }
}

class Greeting {
    String text() {
        return "Hello " + name();
    }

    private String name() {
        return Config.get();
    }
}

class CachedConfigTest {
    //+ @BeforeEach
    //+ void reset() {
    //+     Config.reset();
    //+ }
    //+
    @Test
    void greetsOverride() {
        Config.override("Ann"); // flaky: PLR501
        assertEquals("Hello Ann", new Greeting().text());
    }

    @Test
    void greetsDefault() {
        assertEquals("Hello default", new Greeting().text()); // flaky: PLR502
    }
}
