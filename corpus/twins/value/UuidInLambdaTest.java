// route: lambda
// settled: distinct count
package example.uuidinlambda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UuidInLambdaTest {
    @Test
    void makesIds() {
        Stream<String> generated = Stream.generate(() -> UUID.randomUUID().toString()); // flaky: PLR303
        List<String> ids = generated.limit(3).collect(Collectors.toList());
        assertTrue(ids.get(0).compareTo(ids.get(1)) < 0);
        //~ assertEquals(3, ids.size());
    }
}
