package dev.waybill.orders.json;

import java.util.Iterator;
import java.util.Map;

/** Writes maps, lists, strings, numbers and booleans as compact JSON. */
public final class JsonWriter {

    public String write(Object value) {
        StringBuilder out = new StringBuilder();
        append(value, out);
        return out.toString();
    }

    private void append(Object value, StringBuilder out) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof Map) {
            appendObject((Map<?, ?>) value, out);
        } else if (value instanceof Iterable) {
            appendArray((Iterable<?>) value, out);
        } else {
            appendString(value.toString(), out);
        }
    }

    private void appendObject(Map<?, ?> map, StringBuilder out) {
        out.append('{');
        boolean first = true;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (!first) {
                out.append(',');
            }
            first = false;
            appendString(String.valueOf(entry.getKey()), out);
            out.append(':');
            append(entry.getValue(), out);
        }
        out.append('}');
    }

    private void appendArray(Iterable<?> items, StringBuilder out) {
        out.append('[');
        for (Iterator<?> it = items.iterator(); it.hasNext(); ) {
            append(it.next(), out);
            if (it.hasNext()) {
                out.append(',');
            }
        }
        out.append(']');
    }

    private void appendString(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"':
                    out.append("\\\"");
                    break;
                case '\\':
                    out.append("\\\\");
                    break;
                case '\n':
                    out.append("\\n");
                    break;
                case '\t':
                    out.append("\\t");
                    break;
                default:
                    out.append(c);
            }
        }
        out.append('"');
    }
}
