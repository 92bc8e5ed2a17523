package shop.legacy;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Ignore;
import org.junit.Test;
import shop.Chance;

public class LedgerTest {
    @Test
    public void balances() {
        assertEquals(0, 5 - 5);
    }

    @Test
    public void closesInTime() throws Exception {
        assertTrue(Chance.passes("ledger", "fp"));
    }

    @Test
    public void neverCloses() {
        assertEquals("the books", 1, 2);
    }

    @Test
    @Ignore("not today")
    public void isOff() {}
}
