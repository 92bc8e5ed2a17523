package dev.waybill.orders.catalog;

import dev.waybill.orders.json.JsonWriter;
import java.util.Map;

public final class ProductMeta {

    private final Map<String, Object> fields;

    ProductMeta(Map<String, Object> fields) {
        this.fields = fields;
    }

    public Object field(String name) {
        return fields.get(name);
    }

    public Map<String, Object> fields() {
        return fields;
    }

    public String toJson() {
        return new JsonWriter().write(fields);
    }
}
