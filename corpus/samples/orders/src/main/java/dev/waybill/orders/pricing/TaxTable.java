package dev.waybill.orders.pricing;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public final class TaxTable {

    private final Map<String, BigDecimal> rates = new HashMap<>();

    public TaxTable rate(String country, String rate) {
        rates.put(country, new BigDecimal(rate));
        return this;
    }

    public BigDecimal rateOf(String country) {
        BigDecimal rate = rates.get(country);
        if (rate == null) {
            throw new IllegalArgumentException("No tax rate for " + country);
        }
        return rate;
    }

    public List<String> countries() {
        return new ArrayList<>(rates.keySet());
    }

    public BigDecimal highestRate() {
        BigDecimal highest = BigDecimal.ZERO;
        for (BigDecimal rate : rates.values()) {
            highest = highest.max(rate);
        }
        return highest;
    }

    public String mostTaxedCountry() {
        String country = null;
        BigDecimal highest = BigDecimal.ZERO;
        for (Map.Entry<String, BigDecimal> entry : rates.entrySet()) {
            if (entry.getValue().compareTo(highest) > 0) {
                highest = entry.getValue();
                country = entry.getKey();
            }
        }
        return country;
    }

    public String describe() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, BigDecimal> entry : new TreeMap<>(rates).entrySet()) {
            text.append(entry.getKey()).append(' ').append(entry.getValue()).append(';');
        }
        return text.toString();
    }
}
