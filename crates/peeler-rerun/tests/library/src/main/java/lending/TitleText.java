package lending;

import java.util.Locale;

/** Titles as they are printed and sorted. */
public final class TitleText {
    private TitleText() {}

    /** A title as part of an address. */
    public static String slug(String title) {
        String lower = title.toLowerCase(Locale.ROOT);
        String dashed = lower.replaceAll("[^a-z0-9]+", "-");
        return dashed.replaceAll("^-|-$", "");
    }

    /** A title of at most so many characters. */
    public static String abbreviate(String title, int most) {
        if (title.length() <= most) {
            return title;
        }
        return title.substring(0, most - 3) + "...";
    }

    /** The form that a title is sorted by: without its article. */
    public static String sortKey(String title) {
        for (String article : new String[] {"The ", "A ", "An "}) {
            if (title.startsWith(article)) {
                return title.substring(article.length()) + ", " + article.trim();
            }
        }
        return title;
    }

    public static int words(String title) {
        String trimmed = title.trim();
        return trimmed.isEmpty() ? 0 : trimmed.split("\\s+").length;
    }
}
