package dev.waybill.orders.json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Reads the JSON that {@link JsonWriter} writes. */
public final class JsonReader {

    private final Supplier<Map<String, Object>> maps;

    public JsonReader() {
        this(HashMap::new);
    }

    private JsonReader(Supplier<Map<String, Object>> maps) {
        this.maps = maps;
    }

    /** A reader whose objects list their fields as the document does. */
    public static JsonReader keepingFieldOrder() {
        return new JsonReader(LinkedHashMap::new);
    }

    @SuppressWarnings("unchecked")
    public Map<String, Object> readObject(String json) {
        Cursor cursor = new Cursor(json);
        Object value = value(cursor);
        if (!(value instanceof Map)) {
            throw new IllegalArgumentException("Not an object: " + json);
        }
        return (Map<String, Object>) value;
    }

    private Object value(Cursor in) {
        char c = in.peek();
        if (c == '{') {
            return object(in);
        }
        if (c == '[') {
            return array(in);
        }
        if (c == '"') {
            return string(in);
        }
        return literal(in);
    }

    private Map<String, Object> object(Cursor in) {
        Map<String, Object> fields = maps.get();
        in.expect('{');
        while (in.peek() != '}') {
            String name = string(in);
            in.expect(':');
            fields.put(name, value(in));
            if (in.peek() == ',') {
                in.expect(',');
            }
        }
        in.expect('}');
        return fields;
    }

    private List<Object> array(Cursor in) {
        List<Object> items = new ArrayList<>();
        in.expect('[');
        while (in.peek() != ']') {
            items.add(value(in));
            if (in.peek() == ',') {
                in.expect(',');
            }
        }
        in.expect(']');
        return items;
    }

    private String string(Cursor in) {
        in.expect('"');
        StringBuilder text = new StringBuilder();
        char c = in.next();
        while (c != '"') {
            if (c == '\\') {
                char escaped = in.next();
                c = escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
            }
            text.append(c);
            c = in.next();
        }
        return text.toString();
    }

    private Object literal(Cursor in) {
        String word = in.word();
        switch (word) {
            case "true":
                return Boolean.TRUE;
            case "false":
                return Boolean.FALSE;
            case "null":
                return null;
            default:
                return new BigDecimal(word);
        }
    }

    private static final class Cursor {
        private final String text;
        private int at;

        Cursor(String text) {
            this.text = text;
        }

        char peek() {
            while (Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return text.charAt(at);
        }

        char next() {
            return text.charAt(at++);
        }

        void expect(char c) {
            char found = peek();
            if (found != c) {
                throw new IllegalArgumentException("Expected " + c + " at " + at + " but found " + found);
            }
            at++;
        }

        String word() {
            int from = at;
            while (at < text.length() && ",}] \n".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return text.substring(from, at);
        }
    }
}
