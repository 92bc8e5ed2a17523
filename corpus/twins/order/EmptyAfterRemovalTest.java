// route: code under test, 1 call
// settled: isEmpty
package example.emptyafterremoval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class Basket {
    private final Set<String> fruits = new HashSet<>(); // flaky: PLR102

    Basket(String... fruits) {
        Collections.addAll(this.fruits, fruits);
    }

    List<String> fruits() {
        return new ArrayList<>(fruits);
    }
}

class EmptyAfterRemovalTest {
    @Test
    void holdsFruits() {
        Basket basket = new Basket("fig", "kiwi");
        assertEquals(List.of("fig", "kiwi"), basket.fruits());
        //~ assertFalse(basket.fruits().isEmpty());
    }
}
