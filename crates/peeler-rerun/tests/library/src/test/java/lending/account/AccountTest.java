package lending.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccountTest {
    private final Account account = new Account();

    @Test
    void startsAtNothing() {
        assertEquals(BigDecimal.ZERO, account.balance());
        assertFalse(account.isBlocked());
    }

    @Test
    void chargesAreOwed() {
        account.charge("late", "2.50");
        assertEquals(new BigDecimal("-2.50"), account.balance());
    }

    @Test
    void paymentsAreAdded() {
        account.charge("late", "2.50");
        account.pay("3");
        assertEquals(new BigDecimal("0.50"), account.balance());
    }

    @Test
    void partsOfCentsAreRounded() {
        account.pay("0.125");
        assertEquals("0.13", account.balance().toPlainString());
    }

    @Test
    void debtsBlock() {
        account.charge("lost", "10.00");
        assertFalse(account.isBlocked());
        account.charge("late", "0.01");
        assertTrue(account.isBlocked());
    }

    @Test
    void entriesAreKept() {
        account.charge("late", "1");
        account.pay("1");
        assertEquals(List.of("late -1.00", "paid 1.00"), account.entries());
    }

    @Test
    void nothingCannotBePaid() {
        assertThrows(IllegalArgumentException.class, () -> account.pay("0"));
    }
}
