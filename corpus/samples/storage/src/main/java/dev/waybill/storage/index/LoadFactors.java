package dev.waybill.storage.index;

import java.util.HashMap;
import java.util.Map;

/** Share of the traffic each node takes. */
public final class LoadFactors {

    private final Map<String, Double> shares = new HashMap<>();

    public LoadFactors share(String node, double share) {
        shares.put(node, share);
        return this;
    }

    public double total() {
        double total = 0;
        for (double share : shares.values()) {
            total += share;
        }
        return total;
    }
}
