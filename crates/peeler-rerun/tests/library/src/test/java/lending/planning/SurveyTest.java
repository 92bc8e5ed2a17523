package lending.planning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class SurveyTest {
    private static final List<String> MEMBERS = List.of("Ada", "Ben", "Cyd", "Dan", "Eve");

    @Test
    void sameSeedDrawsTheSame() {
        assertEquals(new Survey(7).draw(MEMBERS, 3), new Survey(7).draw(MEMBERS, 3));
    }

    @Test
    void nobodyIsDrawnTwice() {
        List<String> drawn = new Survey(1).draw(MEMBERS, 5);
        assertEquals(5, new HashSet<>(drawn).size());
    }

    @Test
    void noMoreThanThereAre() {
        assertEquals(5, new Survey(3).draw(MEMBERS, 9).size());
    }

    @Test
    void onlyMembersAreDrawn() {
        assertTrue(MEMBERS.containsAll(new Survey(5).draw(MEMBERS, 2)));
    }
}
