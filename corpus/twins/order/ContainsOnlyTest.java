// route: field of the test
// settled: containsOnly
package example.containsonly;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ContainsOnlyTest {
    private final Map<String, Integer> seats = new HashMap<>(); // flaky: PLR102

    @BeforeEach
    void reserve() {
        seats.put("A", 1);
        seats.put("B", 2);
    }

    @Test
    void reservesSeats() {
        assertThat(seats.keySet()).containsExactly("A", "B");
        //~ assertThat(seats.keySet()).containsOnly("A", "B");
    }
}
