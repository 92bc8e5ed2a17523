package lending;

import java.util.ArrayList;
import java.util.List;

/** A row of an exported catalogue. */
public final class CsvRow {
    private final List<String> cells;

    private CsvRow(List<String> cells) {
        this.cells = cells;
    }

    /** Reads cells between commas; quotes hold commas together, and two of them are one. */
    public static CsvRow parse(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                if (quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                    cell.append('"');
                    i++;
                } else {
                    quoted = !quoted;
                }
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        if (quoted) {
            throw new IllegalArgumentException("a quote is not closed: " + line);
        }
        cells.add(cell.toString());
        return new CsvRow(cells);
    }

    public int size() {
        return cells.size();
    }

    public String get(int column) {
        return cells.get(column);
    }

    public Book toBook() {
        return new Book(get(0), get(1), Integer.parseInt(get(2).trim()));
    }
}
