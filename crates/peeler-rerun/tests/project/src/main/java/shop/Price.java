package shop;

/** Prices with a discount that everybody shares. */
public final class Price {
    private static int percentOff;

    private Price() {}

    public static void discount(int percent) {
        percentOff = percent;
    }

    public static int of(int cents) {
        return cents - cents * percentOff / 100;
    }
}
