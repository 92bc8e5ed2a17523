// route: lambda
// settled: CopyOnWriteArrayList
package example.unsafelist;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class UnsafeListTest {
    @Test
    void addsFromThreads() throws Exception {
        List<Integer> numbers = new ArrayList<>(); // flaky: PLR209
        //~ List<Integer> numbers = new CopyOnWriteArrayList<>();
        Thread one = new Thread(() -> numbers.add(1)); // flaky: PLR209
        Thread two = new Thread(() -> numbers.add(2)); // flaky: PLR209
        one.start();
        two.start();
        one.join();
        two.join();
        assertEquals(2, numbers.size());
    }
}
