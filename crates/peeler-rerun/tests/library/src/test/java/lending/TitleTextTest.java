package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TitleTextTest {
    @Test
    void slugHasNoSpaces() {
        assertEquals("the-left-hand-of-darkness", TitleText.slug("The Left Hand of Darkness"));
    }

    @Test
    void slugHasNoSigns() {
        assertEquals("what-if", TitleText.slug("What if?"));
    }

    @Test
    void shortTitleStays() {
        assertEquals("Emma", TitleText.abbreviate("Emma", 10));
    }

    @Test
    void longTitleIsCut() {
        assertEquals("Pride a...", TitleText.abbreviate("Pride and Prejudice", 10));
    }

    @Test
    void articleIsSortedLast() {
        assertEquals("Trial, The", TitleText.sortKey("The Trial"));
        assertEquals("Emma", TitleText.sortKey("Emma"));
    }

    @Test
    void wordsAreCounted() {
        assertEquals(3, TitleText.words(" War  and Peace "));
        assertEquals(0, TitleText.words("  "));
    }
}
