package dev.waybill.orders.pricing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Makes up voucher codes such as {@code K7-381}. */
public final class VoucherCodes {

    private static final String LETTERS = "ABCDEFGHKLMNPRSTUVWXYZ";

    private final Random random;

    public VoucherCodes() {
        this(new Random());
    }

    public VoucherCodes(Random random) {
        this.random = random;
    }

    public String next() {
        char letter = LETTERS.charAt(random.nextInt(LETTERS.length()));
        int digit = random.nextInt(10);
        int tail = 100 + random.nextInt(900);
        return letter + "" + digit + "-" + tail;
    }

    /** Draws one of the given prizes. */
    public <T> T draw(List<T> prizes) {
        return prizes.get(random.nextInt(prizes.size()));
    }

    public <T> List<T> mix(List<T> items) {
        List<T> copy = new ArrayList<>(items);
        Collections.shuffle(copy, random);
        return copy;
    }
}
