package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AuthorIndexTest {
    private final AuthorIndex index = new AuthorIndex();

    @Test
    void startsEmpty() {
        assertEquals(0, index.size());
        assertEquals("", index.print());
    }

    @Test
    void printsAllAuthors() {
        index.add("Austen", "England");
        index.add("Kafka", "Bohemia");
        assertEquals("Austen, Kafka", index.print());
    }
}
