package lending.account;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** What a member owes and paid. */
public final class Account {
    private BigDecimal balance = BigDecimal.ZERO;
    private final List<String> entries = new ArrayList<>();

    public void charge(String reason, String amount) {
        BigDecimal charged = amount(amount);
        balance = balance.subtract(charged);
        entries.add(reason + " -" + charged);
    }

    public void pay(String amount) {
        BigDecimal paid = amount(amount);
        balance = balance.add(paid);
        entries.add("paid " + paid);
    }

    private static BigDecimal amount(String text) {
        BigDecimal amount = new BigDecimal(text).setScale(2, RoundingMode.HALF_UP);
        if (amount.signum() <= 0) {
            throw new IllegalArgumentException("an amount is more than nothing: " + text);
        }
        return amount;
    }

    public BigDecimal balance() {
        return balance;
    }

    public boolean isBlocked() {
        return balance.compareTo(new BigDecimal("-10")) < 0;
    }

    public List<String> entries() {
        return entries;
    }
}
