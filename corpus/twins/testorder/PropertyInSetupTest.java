// route: setup
// settled: old value restored in teardown
package example.propertyinsetup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PropertyInSetupTest {
    private String before;

    @BeforeEach
    void configure() {
        before = System.getProperty("mail.host", "");
        System.setProperty("mail.host", "localhost"); // flaky: PLR503
    }

    //+ @AfterEach
    //+ void restore() {
    //+     System.setProperty("mail.host", before);
    //+ }
    //+
    @Test
    void readsHost() {
        assertEquals("localhost", System.getProperty("mail.host"));
    }
}

class NoMailHostTest {
    @Test
    void hasNoHost() {
        assertEquals("", System.getProperty("mail.host", ""));
    }
}
