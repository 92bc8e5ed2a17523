package stock;

import static org.testng.Assert.assertEquals;

import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

/** Tests of everything that has a count. */
public abstract class StockContract {
    protected int count;

    @BeforeMethod
    public void empty() {
        count = 0;
    }

    @Test
    public void startsEmpty() {
        assertEquals(count, 0);
        count++;
    }

    @Test
    public void isOverridden() {
        throw new AssertionError("the subclass has its own");
    }
}
