package dev.waybill.orders.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.waybill.orders.Order;
import dev.waybill.orders.support.Samples;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrderSerializerTest {

    private final OrderSerializer serializer = new OrderSerializer();
    private Order order;

    @BeforeEach
    void setUp() {
        order = Samples.placedAt("1970-01-01T00:00:01Z").add(Samples.tea(2));
    }

    @Test
    void writesOrder() {
        String json = serializer.toJson(order);
        assertEquals("{\"lines\":[{\"quantity\":2,\"price\":4.50,\"sku\":\"TEA-0042\"}],"
                + "\"placedAt\":1000,\"customer\":\"anna\",\"status\":\"PLACED\"}", json);
    }

    @Test
    void writesCanonicalOrder() {
        String json = serializer.toCanonicalJson(order);
        assertEquals("{\"customer\":\"anna\",\"lines\":[{\"price\":4.50,\"quantity\":2,\"sku\":\"TEA-0042\"}],"
                + "\"placedAt\":1000,\"status\":\"PLACED\"}", json);
    }

    @Test
    void writtenOrderHoldsItsLines() {
        Map<String, Object> fields = new JsonReader().readObject(serializer.toJson(order));
        List<?> lines = (List<?>) fields.get("lines");
        assertEquals("anna", fields.get("customer"));
        assertEquals(1, lines.size());
        assertEquals("TEA-0042", ((Map<?, ?>) lines.get(0)).get("sku"));
    }
}
