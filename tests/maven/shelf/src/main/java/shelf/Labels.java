package shelf;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

public class Labels {
    private final Map<String, Integer> rows = new HashMap<>();

    public void put(String label, int row) {
        rows.put(label, row);
    }

    public String text() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, Integer> entry : rows.entrySet()) {
            text.append(entry.getKey()).append(entry.getValue());
        }
        return text.toString();
    }

    public String sorted() {
        return new TreeMap<>(rows).toString();
    }
}
