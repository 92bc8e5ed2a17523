package dev.waybill.orders;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** An amount in one currency, always kept at two decimals. */
public final class Money implements Comparable<Money> {

    private final BigDecimal amount;
    private final String currency;

    private Money(BigDecimal amount, String currency) {
        this.amount = amount.setScale(2, RoundingMode.HALF_EVEN);
        this.currency = Objects.requireNonNull(currency, "currency");
    }

    public static Money of(String amount, String currency) {
        return new Money(new BigDecimal(amount), currency);
    }

    public static Money of(BigDecimal amount, String currency) {
        return new Money(amount, currency);
    }

    public static Money zero(String currency) {
        return new Money(BigDecimal.ZERO, currency);
    }

    public BigDecimal amount() {
        return amount;
    }

    public String currency() {
        return currency;
    }

    public Money plus(Money other) {
        requireSameCurrency(other);
        return new Money(amount.add(other.amount), currency);
    }

    public Money minus(Money other) {
        requireSameCurrency(other);
        return new Money(amount.subtract(other.amount), currency);
    }

    public Money times(int factor) {
        return new Money(amount.multiply(BigDecimal.valueOf(factor)), currency);
    }

    public Money times(BigDecimal factor) {
        return new Money(amount.multiply(factor), currency);
    }

    /** Splits the amount into shares; cents that do not divide evenly go to the first shares. */
    public List<Money> split(int shares) {
        if (shares < 1) {
            throw new IllegalArgumentException("shares: " + shares);
        }
        long cents = amount.movePointRight(2).longValueExact();
        long base = cents / shares;
        long rest = cents % shares;
        List<Money> result = new ArrayList<>(shares);
        for (int i = 0; i < shares; i++) {
            long share = base + (i < rest ? 1 : 0);
            result.add(new Money(BigDecimal.valueOf(share, 2), currency));
        }
        return result;
    }

    public boolean isZero() {
        return amount.signum() == 0;
    }

    public String toDisplay() {
        return String.format("%,.2f %s", amount, currency);
    }

    public String toDisplay(Locale locale) {
        return String.format(locale, "%,.2f %s", amount, currency);
    }

    private void requireSameCurrency(Money other) {
        if (!currency.equals(other.currency)) {
            throw new IllegalArgumentException(currency + " vs " + other.currency);
        }
    }

    @Override
    public int compareTo(Money other) {
        requireSameCurrency(other);
        return amount.compareTo(other.amount);
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Money)) {
            return false;
        }
        Money other = (Money) o;
        return amount.equals(other.amount) && currency.equals(other.currency);
    }

    @Override
    public int hashCode() {
        return Objects.hash(amount, currency);
    }

    @Override
    public String toString() {
        return amount.toPlainString() + " " + currency;
    }
}
