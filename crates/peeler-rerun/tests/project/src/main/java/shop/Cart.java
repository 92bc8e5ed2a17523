package shop;

import java.util.ArrayList;
import java.util.List;

/** A cart that everybody shares, which is the mistake. */
public final class Cart {
    private static final List<String> ITEMS = new ArrayList<String>();

    private Cart() {}

    public static void add(String item) {
        ITEMS.add(item);
    }

    public static int size() {
        return ITEMS.size();
    }
}
