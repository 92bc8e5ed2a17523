package stock;

import org.junit.jupiter.api.Test;

/** A test of JUnit 5. */
class NewTest {
    @Test
    void isNew() {}
}
