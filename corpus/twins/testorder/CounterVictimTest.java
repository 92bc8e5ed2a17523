// route: static field of the code under test
// settled: set before it is read
package example.countervictim;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

class Sequence {
    static int next = 1;

    static int take() {
        return next++; // flaky: PLR502 PLR501
    }
}

public class CounterVictimTest {
    @Test
    public void startsAtOne() {
        //+ Sequence.next = 1;
        assertEquals(1, Sequence.take()); // flaky: PLR502
    }

    @Test
    public void grows() {
        //+ Sequence.next = 1;
        int first = Sequence.take();
        assertEquals(first + 1, Sequence.take());
    }
}
