package dev.peeler.maven;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.maven.plugin.MojoFailureException;

/** The arguments of one call of the program. */
final class Arguments {
    private final List<String> words = new ArrayList<>();

    Arguments(String command) {
        words.add(command);
    }

    /** Adds an argument or an option without a value. */
    Arguments add(Object word) {
        words.add(word.toString());
        return this;
    }

    /** Adds an option with its value; nothing if the value is {@code null}. */
    Arguments option(String name, Object value) {
        if (value != null) {
            // One word, so that a value may begin with a hyphen.
            words.add(name + "=" + value);
        }
        return this;
    }

    /** Adds a switch if it is on. */
    Arguments flag(String name, boolean on) {
        if (on) {
            words.add(name);
        }
        return this;
    }

    /** Adds the words of {@code peeler.args}. */
    Arguments line(String line) throws MojoFailureException {
        words.addAll(split(line));
        return this;
    }

    List<String> words() {
        return Collections.unmodifiableList(words);
    }

    /**
     * Splits a line at white space. Single and double quotes keep it together, and a backslash is an ordinary
     * character, as in paths of Windows.
     *
     * @throws MojoFailureException if a quote is not closed
     */
    static List<String> split(String line) throws MojoFailureException {
        List<String> words = new ArrayList<>();
        if (line == null) {
            return words;
        }
        StringBuilder word = null;
        char quote = 0;
        for (char c : line.toCharArray()) {
            if (quote == 0 && Character.isWhitespace(c)) {
                if (word != null) {
                    words.add(word.toString());
                    word = null;
                }
                continue;
            }
            if (word == null) {
                word = new StringBuilder();
            }
            if (c == quote) {
                quote = 0;
            } else if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else {
                word.append(c);
            }
        }
        if (quote != 0) {
            throw new MojoFailureException("peeler.args: a quote is not closed: " + line);
        }
        if (word != null) {
            words.add(word.toString());
        }
        return words;
    }
}
