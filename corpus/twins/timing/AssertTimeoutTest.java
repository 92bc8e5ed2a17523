// route: body
// settled: generous limit
package example.asserttimeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AssertTimeoutTest {
    @Test
    void sortsFast() {
        List<Integer> numbers = IntStream.range(0, 10_000).boxed().collect(Collectors.toList());
        assertTimeout(Duration.ofMillis(30), () -> Collections.sort(numbers)); // flaky: PLR203
        //~ assertTimeout(Duration.ofMinutes(1), () -> Collections.sort(numbers));
        assertEquals(0, numbers.get(0));
    }
}
