package shop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class RateTest {
    @Test
    void convertsAtTodaysRate() {
        assertTrue(Files.exists(Chance.folder().resolve("rates.txt")), "no rates today");
    }
}
