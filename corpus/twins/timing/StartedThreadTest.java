// route: body
// settled: join
package example.startedthread;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class StartedThreadTest {
    @Test
    void fillsTheList() throws Exception {
        List<String> names = new CopyOnWriteArrayList<>();
        Thread writer = new Thread(() -> names.add("ann"));
        writer.start(); // flaky: PLR202
        //+ writer.join();
        assertEquals(1, names.size());
    }
}
