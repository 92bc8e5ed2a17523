package lending;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Books that stand together, sorted by title. */
public final class Shelf {
    private final int room;
    private final List<Book> books = new ArrayList<>();

    public Shelf(int room) {
        this.room = room;
    }

    public void put(Book book) {
        if (books.size() == room) {
            throw new IllegalStateException("the shelf is full");
        }
        books.add(book);
        books.sort(Comparator.comparing(it -> TitleText.sortKey(it.title())));
    }

    public boolean remove(String title) {
        return books.removeIf(it -> it.title().equals(title));
    }

    public Optional<Book> find(String title) {
        return books.stream().filter(it -> it.title().equals(title)).findFirst();
    }

    public List<String> titles() {
        return books.stream().map(Book::title).collect(Collectors.toList());
    }

    public List<Book> since(int year) {
        return books.stream().filter(it -> it.year() >= year).collect(Collectors.toList());
    }

    public int size() {
        return books.size();
    }
}
