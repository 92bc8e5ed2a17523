// route: code under test, 3 calls
// settled: cleared in setup
package example.cacheleft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class Rates {
    private static final Map<String, Double> CACHE = new ConcurrentHashMap<>();

    double rate(String currency, double fresh) {
        return cached(currency, fresh);
    }

    private double cached(String currency, double fresh) {
        return lookUp(currency, fresh);
    }

    private double lookUp(String currency, double fresh) {
        return CACHE.computeIfAbsent(currency, key -> fresh); // flaky: PLR508 PLR501
    }

    static void clear() {
        CACHE.clear();
    }
}

class CacheLeftTest {
    //+ @BeforeEach
    //+ void clear() {
    //+     Rates.clear();
    //+ }
    //+
    @Test
    void usesFreshRate() {
        assertEquals(2.0, new Rates().rate("USD", 2.0), 0.01); // flaky: PLR508 PLR501 PLR502
    }

    @Test
    void usesOtherRate() {
        assertEquals(3.0, new Rates().rate("USD", 3.0), 0.01); // flaky: PLR508 PLR501 PLR502
    }
}
