// route: field of the code under test
// settled: synchronized
package example.unsafeformat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class Log {
    private final List<String> lines = new ArrayList<>(); // flaky: PLR209

    void write(String line) {
        lines.add(line); // flaky: PLR209
        //~ synchronized (lines) {
        //~     lines.add(line);
        //~ }
    }

    int size() {
        return lines.size();
    }
}

class UnsafeFormatTest {
    @Test
    void writesFromTwoThreads() throws Exception {
        Log log = new Log();
        Thread one = new Thread(() -> log.write("a")); // flaky: PLR209
        Thread two = new Thread(() -> log.write("b")); // flaky: PLR209
        one.start();
        two.start();
        one.join();
        two.join();
        assertEquals(2, log.size());
    }
}
