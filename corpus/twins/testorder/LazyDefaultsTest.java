// route: code under test, 3 calls
// settled: set before it is read
package example.lazydefaults;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

class Defaults {
    private static String language = "en";

    static String language() {
        return language;
    }

    static void use(String value) {
        language = value; // flaky: PLR502 PLR501
    }
}

class Labels {
    String title() {
        return prefix() + ":title";
    }

    private String prefix() {
        return Defaults.language();
    }
}

public class LazyDefaultsTest {
    @Test
    public void usesEnglish() {
        //+ Defaults.use("en");
        assertEquals("en:title", new Labels().title()); // flaky: PLR502
    }

    @Test
    public void usesFrench() {
        Defaults.use("fr"); // flaky: PLR501
        assertEquals("fr:title", new Labels().title());
    }
}
