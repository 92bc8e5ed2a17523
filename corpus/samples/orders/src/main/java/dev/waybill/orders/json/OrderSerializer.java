package dev.waybill.orders.json;

import dev.waybill.orders.Order;
import dev.waybill.orders.OrderLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public final class OrderSerializer {

    private final JsonWriter writer = new JsonWriter();

    public String toJson(Order order) {
        return writer.write(fields(order));
    }

    /** The form used for signing: fields in alphabetical order on every level. */
    public String toCanonicalJson(Order order) {
        Map<String, Object> sorted = new TreeMap<>(fields(order));
        List<Object> lines = new ArrayList<>();
        for (OrderLine line : order.lines()) {
            lines.add(new TreeMap<>(fields(line)));
        }
        sorted.put("lines", lines);
        return writer.write(sorted);
    }

    private Map<String, Object> fields(Order order) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("customer", order.customer());
        fields.put("status", order.status().name());
        fields.put("placedAt", order.placedAtMillis());
        List<Object> lines = new ArrayList<>();
        for (OrderLine line : order.lines()) {
            lines.add(fields(line));
        }
        fields.put("lines", lines);
        return fields;
    }

    private Map<String, Object> fields(OrderLine line) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("sku", line.sku().toString());
        fields.put("quantity", line.quantity());
        fields.put("price", line.unitPrice().amount());
        return fields;
    }
}
