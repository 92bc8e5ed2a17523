package stock;

import static org.testng.Assert.assertTrue;

import org.testng.annotations.Factory;
import org.testng.annotations.Test;

/** A class whose objects a factory makes. */
public class FactoryTest {
    private final int size;

    private FactoryTest(int size) {
        this.size = size;
    }

    @Factory
    public static Object[] sizes() {
        return new Object[] {new FactoryTest(1), new FactoryTest(2)};
    }

    @Test
    public void isPositive() {
        assertTrue(size > 0);
    }

    @Test
    public void isOne() {
        assertTrue(size == 1, "it is " + size);
    }
}
