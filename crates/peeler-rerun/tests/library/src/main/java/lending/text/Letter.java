package lending.text;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A letter with gaps such as {name}. */
public final class Letter {
    private static final Pattern GAP = Pattern.compile("\\{(\\w+)\\}");

    private final String text;

    public Letter(String text) {
        this.text = text;
    }

    public String filled(Map<String, String> words) {
        Matcher matcher = GAP.matcher(text);
        StringBuilder out = new StringBuilder();
        while (matcher.find()) {
            String word = words.get(matcher.group(1));
            if (word == null) {
                throw new IllegalArgumentException("nothing to put in for " + matcher.group(1));
            }
            matcher.appendReplacement(out, Matcher.quoteReplacement(word));
        }
        return matcher.appendTail(out).toString();
    }

    public long gaps() {
        return GAP.matcher(text).results().count();
    }
}
