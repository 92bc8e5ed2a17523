package lending.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RankingTest {
    private final Ranking ranking = new Ranking();

    @BeforeEach
    void hits() {
        ranking.hit("Ulysses", 2);
        ranking.hit("Emma", 1);
        ranking.hit("Dubliners", 1);
    }

    @Test
    void bestComesFirst() {
        assertEquals("Ulysses", ranking.best(3).get(0));
    }

    @Test
    void equalOnesComeByTitle() {
        assertEquals(List.of("Ulysses", "Dubliners", "Emma"), ranking.best(3));
    }

    @Test
    void hitsAddUp() {
        ranking.hit("Emma", 4);
        assertEquals(5, ranking.scoreOf("Emma"));
        assertEquals("Emma", ranking.best(1).get(0));
    }

    @Test
    void unknownTitleHasNoScore() {
        assertEquals(0, ranking.scoreOf("Faust"));
    }

    @Test
    void noneAreBestOfNothing() {
        assertTrue(new Ranking().best(5).isEmpty());
    }
}
