package lending.planning;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Draws members to be asked for their opinion. */
public final class Survey {
    private final Random random;

    public Survey(long seed) {
        random = new Random(seed);
    }

    public List<String> draw(List<String> members, int count) {
        List<String> left = new ArrayList<>(members);
        List<String> drawn = new ArrayList<>();
        while (drawn.size() < count && !left.isEmpty()) {
            drawn.add(left.remove(random.nextInt(left.size())));
        }
        return drawn;
    }
}
