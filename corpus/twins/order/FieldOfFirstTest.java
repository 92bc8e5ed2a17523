// route: field of the code under test, through its constructor
// settled: TreeMap
package example.fieldoffirst;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class Account {
    final String owner;

    Account(String owner) {
        this.owner = owner;
    }
}

class Bank {
    private final Map<Integer, Account> accounts;

    Bank(Map<Integer, Account> accounts) {
        this.accounts = accounts;
    }

    Account any() {
        return accounts.values().stream().findFirst().orElseThrow();
    }
}

class FieldOfFirstTest {
    @Test
    void returnsSomeAccount() {
        Map<Integer, Account> accounts = new HashMap<>(); // flaky: PLR103
        //~ Map<Integer, Account> accounts = new TreeMap<>();
        accounts.put(17, new Account("ann"));
        accounts.put(90_001, new Account("bob"));
        assertEquals("ann", new Bank(accounts).any().owner);
    }
}
