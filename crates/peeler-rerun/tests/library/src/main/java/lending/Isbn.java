package lending;

/** An ISBN of thirteen digits. */
public final class Isbn {
    private final String digits;

    private Isbn(String digits) {
        this.digits = digits;
    }

    /** Reads an ISBN with or without hyphens. */
    public static Isbn parse(String text) {
        String digits = text.replace("-", "").trim();
        if (digits.length() != 13) {
            throw new IllegalArgumentException("an ISBN has 13 digits: " + text);
        }
        if (checkDigit(digits.substring(0, 12)) != digits.charAt(12) - '0') {
            throw new IllegalArgumentException("wrong check digit: " + text);
        }
        return new Isbn(digits);
    }

    static int checkDigit(String twelve) {
        int sum = 0;
        for (int i = 0; i < twelve.length(); i++) {
            int digit = twelve.charAt(i) - '0';
            sum += i % 2 == 0 ? digit : 3 * digit;
        }
        return (10 - sum % 10) % 10;
    }

    public String group() {
        return digits.substring(3, 4);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Isbn && digits.equals(((Isbn) other).digits);
    }

    @Override
    public int hashCode() {
        return digits.hashCode();
    }

    @Override
    public String toString() {
        return digits;
    }
}
