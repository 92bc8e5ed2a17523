// route: code under test, 3 calls
// settled: value given
package example.processors;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class Pools {
    int size() {
        return size(cores());
    }

    int size(int cores) {
        return Math.max(1, cores * 2);
    }

    private int cores() {
        return Runtime.getRuntime().availableProcessors(); // flaky: PLR306
    }
}

class ProcessorsTest {
    @Test
    void sizesPools() {
        assertEquals(4, new Pools().size());
        //~ assertEquals(4, new Pools().size(2));
    }
}
