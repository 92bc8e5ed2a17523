// route: code under test, 1 call
// settled: toString declared
package example.defaulttostring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class Coin {
    private final int value;

    Coin(int value) {
        this.value = value;
    }
    //+
    //+ @Override
    //+ public String toString() {
    //+     return "Coin " + value;
    //+ }
}

class Purse {
    String describe(Coin coin) {
        return "holds " + coin; // flaky: PLR108
    }
}

class DefaultToStringTest {
    @Test
    void describesCoins() {
        assertEquals("holds Coin 5", new Purse().describe(new Coin(5)));
    }
}
