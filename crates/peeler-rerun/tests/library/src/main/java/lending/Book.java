package lending;

/** A book as the catalogue knows it. */
public final class Book {
    private final String title;
    private final String author;
    private final int year;

    public Book(String title, String author, int year) {
        this.title = title;
        this.author = author;
        this.year = year;
    }

    public String title() {
        return title;
    }

    public String author() {
        return author;
    }

    public int year() {
        return year;
    }

    @Override
    public String toString() {
        return title + " (" + author + ", " + year + ")";
    }
}
