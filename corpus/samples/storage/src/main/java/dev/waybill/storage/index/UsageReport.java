package dev.waybill.storage.index;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public final class UsageReport {

    private final Map<Tier, Long> bytes = new HashMap<>();

    public UsageReport add(Tier tier, long size) {
        bytes.merge(tier, size, Long::sum);
        return this;
    }

    public String summary() {
        StringBuilder text = new StringBuilder();
        bytes.forEach((tier, size) -> text.append(tier).append(':').append(size).append(' '));
        return text.toString().trim();
    }

    public String summaryByTier() {
        if (bytes.isEmpty()) {
            return "{}";
        }
        return new EnumMap<>(bytes).toString();
    }

    public List<Long> sizes() {
        List<Long> sizes = new ArrayList<>(bytes.values());
        Collections.sort(sizes);
        return sizes;
    }

    public long total() {
        long total = 0;
        for (long size : bytes.values()) {
            total += size;
        }
        return total;
    }
}
