package dev.waybill.delivery.depot;

import java.util.Map;
import java.util.TreeMap;

/** All depots known to this process. */
public final class DepotRegistry {

    private static final Map<String, Integer> POSTCODES = new TreeMap<>();

    private DepotRegistry() {
    }

    public static void register(String depot, int postcode) {
        POSTCODES.put(depot, postcode);
    }

    public static boolean knows(String depot) {
        return POSTCODES.containsKey(depot);
    }

    public static int size() {
        return POSTCODES.size();
    }

    /** The depot whose postcode is closest to the given one, or null if there are no depots. */
    public static String nearest(int postcode) {
        String best = null;
        int distance = Integer.MAX_VALUE;
        for (Map.Entry<String, Integer> entry : POSTCODES.entrySet()) {
            int candidate = Math.abs(entry.getValue() - postcode);
            if (candidate < distance) {
                distance = candidate;
                best = entry.getKey();
            }
        }
        return best;
    }

    public static void clear() {
        POSTCODES.clear();
    }
}
