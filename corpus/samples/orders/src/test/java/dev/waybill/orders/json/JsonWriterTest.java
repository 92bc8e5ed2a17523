package dev.waybill.orders.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonWriterTest {

    private final JsonWriter writer = new JsonWriter();

    @Test
    void escapesQuotesAndLineBreaks() {
        assertEquals("\"say \\\"hi\\\"\\n\"", writer.write("say \"hi\"\n"));
    }

    @Test
    void writesListsAndNumbers() {
        assertEquals("[1,2.5,null,true,\"x\"]", writer.write(Arrays.asList(1, 2.5, null, true, "x")));
    }

    @Test
    void writesObject() {
        Map<String, Object> payload = new HashMap<>();
        payload.put("sku", "TEA-0042");
        payload.put("quantity", 3);
        payload.put("gift", false);
        assertEquals("{\"gift\":false,\"quantity\":3,\"sku\":\"TEA-0042\"}", writer.write(payload));
    }

    @Test
    void writesNestedObject() {
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("sku", "TEA-0042");
        payload.put("size", Collections.singletonMap("grams", 250));
        payload.put("gift", false);
        assertEquals("{\"sku\":\"TEA-0042\",\"size\":{\"grams\":250},\"gift\":false}", writer.write(payload));
    }

    @Test
    void writesObjectWithOneField() {
        Map<String, Object> payload = new HashMap<>();
        payload.put("sku", "TEA-0042");
        assertEquals("{\"sku\":\"TEA-0042\"}", writer.write(payload));
    }

    @Test
    void writesImmutableMap() {
        assertEquals("{\"height\":12,\"width\":40}", writer.write(Map.of("height", 12, "width", 40)));
    }

    @Test
    void writtenObjectCanBeReadBack() {
        Map<String, Object> payload = new HashMap<>();
        payload.put("sku", "TEA-0042");
        payload.put("note", "line\nbreak");
        payload.put("tags", Arrays.asList("green", "loose"));
        assertEquals(payload, new JsonReader().readObject(writer.write(payload)));
    }
}
