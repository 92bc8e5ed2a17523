package stock;

import org.junit.Test;

/** A test of JUnit 4. */
public class OldTest {
    @Test
    public void isOld() {}
}
