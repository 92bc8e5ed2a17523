package dev.waybill.orders;

import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Stock keeping unit such as {@code TEA-0042}. */
public final class Sku {

    private static final Pattern FORMAT = Pattern.compile("([A-Z]{3})-(\\d{4})");

    private final String family;
    private final int number;

    private Sku(String family, int number) {
        this.family = family;
        this.number = number;
    }

    public static Sku parse(String text) {
        Matcher matcher = FORMAT.matcher(text.trim().toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("Not a SKU: " + text);
        }
        return new Sku(matcher.group(1), Integer.parseInt(matcher.group(2)));
    }

    /** Allocates a SKU in the family, for articles that have no number of their own yet. */
    public static Sku provisional(String family) {
        int number = (int) (Math.random() * 10_000);
        return new Sku(family, number);
    }

    public String family() {
        return family;
    }

    public int number() {
        return number;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Sku && ((Sku) o).number == number && ((Sku) o).family.equals(family);
    }

    @Override
    public int hashCode() {
        return Objects.hash(family, number);
    }

    @Override
    public String toString() {
        String digits = Integer.toString(number);
        return family + "-" + "0000".substring(digits.length()) + digits;
    }
}
