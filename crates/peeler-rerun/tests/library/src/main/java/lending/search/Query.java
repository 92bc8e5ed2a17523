package lending.search;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** What a member types into the catalogue: words, "whole phrases", and -words that must not occur. */
public final class Query {
    private final List<String> wanted = new ArrayList<>();
    private final List<String> unwanted = new ArrayList<>();

    private Query() {}

    public static Query parse(String text) {
        Query query = new Query();
        int at = 0;
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at++;
                continue;
            }
            boolean isUnwanted = text.charAt(at) == '-';
            int begin = isUnwanted ? at + 1 : at;
            boolean isQuoted = begin < text.length() && text.charAt(begin) == '"';
            int end = isQuoted ? text.indexOf('"', begin + 1) : nextSpace(text, begin);
            if (end < 0) {
                throw new IllegalArgumentException("a phrase has no end: " + text);
            }
            String term = text.substring(isQuoted ? begin + 1 : begin, end).toLowerCase(Locale.ROOT);
            (isUnwanted ? query.unwanted : query.wanted).add(term);
            at = end + 1;
        }
        return query;
    }

    private static int nextSpace(String text, int from) {
        int space = text.indexOf(' ', from);
        return space < 0 ? text.length() : space;
    }

    public boolean matches(String title) {
        String lower = title.toLowerCase(Locale.ROOT);
        return wanted.stream().allMatch(lower::contains) && unwanted.stream().noneMatch(lower::contains);
    }

    public List<String> wanted() {
        return Collections.unmodifiableList(wanted);
    }

    public List<String> unwanted() {
        return Collections.unmodifiableList(unwanted);
    }
}
