package lending;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Everybody who wrote something in the catalogue. */
public final class AuthorIndex {
    private final Set<Author> authors = new HashSet<>();

    public void add(String name, String country) {
        authors.add(new Author(name, country));
    }

    public String print() {
        return authors.stream().map(it -> it.name).collect(Collectors.joining(", "));
    }

    public int size() {
        return authors.size();
    }

    private static final class Author {
        private final String name;
        private final String country;

        Author(String name, String country) {
            this.name = name;
            this.country = country;
        }

        @Override
        public String toString() {
            return name + " from " + country;
        }
    }
}
