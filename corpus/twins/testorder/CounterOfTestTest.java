// route: static field of the test
// settled: set before it is read
package example.counteroftest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CounterOfTestTest {
    private static int runs;

    @Test
    void countsFirst() {
        //+ runs = 0;
        runs++; // flaky: PLR502 PLR501
        assertEquals(1, runs); // flaky: PLR502
    }

    @Test
    void countsSecond() {
        //+ runs = 0;
        runs++; // flaky: PLR502 PLR501
        assertEquals(1, runs); // flaky: PLR502
    }
}
