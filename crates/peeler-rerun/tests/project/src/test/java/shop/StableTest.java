package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StableTest {
    @Test
    void adds() {
        assertEquals(3, 1 + 2);
    }

    @Test
    void subtracts() {
        assertEquals(1, 3 - 2);
    }

    @Test
    void multiplies() {
        assertEquals(6, 3 * 2);
    }

    @Test
    void divides() {
        assertEquals(2, 6 / 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void isPositive(int number) {
        assertTrue(number > 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void isSmall(int number) {
        assertTrue(number < 3);
    }

    @RepeatedTest(2)
    void repeats() {
        assertTrue(true);
    }

    @Test
    @Disabled("not today")
    void isOff() {}

    @Test
    void assumes() {
        Assumptions.assumeTrue(false, "no such machine");
    }

    @Nested
    class Inner {
        @Test
        void isNested() {
            assertTrue(true);
        }
    }
}
