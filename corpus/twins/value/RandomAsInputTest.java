// route: body
// settled: round trip of the same value
package example.randomasinput;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class Caesar {
    static String encode(String text, int shift) {
        IntStream shifted = text.chars().map(letter -> letter + shift);
        return shifted.mapToObj(letter -> "" + (char) letter).collect(Collectors.joining());
    }

    static String decode(String text, int shift) {
        return encode(text, -shift);
    }
}

class RandomAsInputTest {
    @Test
    void decodes() {
        int shift = new Random().nextInt(20); // flaky: PLR302
        String secret = Caesar.encode("abc", shift);
        assertEquals("bcd", secret);
        //~ assertEquals("abc", Caesar.decode(secret, shift));
    }
}
