package lending.text;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Values as JSON. */
public final class JsonText {
    private JsonText() {}

    public static String of(Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            return String.valueOf(value);
        }
        if (value instanceof List) {
            List<?> list = (List<?>) value;
            return list.stream().map(JsonText::of).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Map) {
            Map<?, ?> map = (Map<?, ?>) value;
            return map.entrySet().stream()
                    .map(it -> of(it.getKey().toString()) + ":" + of(it.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        return quoted(value.toString());
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
