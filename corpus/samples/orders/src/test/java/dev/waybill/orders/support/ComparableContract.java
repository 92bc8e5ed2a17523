package dev.waybill.orders.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What every ordered value of the domain has to fulfil. */
public interface ComparableContract<T extends Comparable<T>> {

    T lower();

    T higher();

    @Test
    default void comparesEqualToItself() {
        T value = lower();
        assertEquals(0, value.compareTo(value));
    }

    @Test
    default void lowerComesBeforeHigher() {
        T low = lower();
        T high = higher();
        assertTrue(low.compareTo(high) < 0);
        assertTrue(high.compareTo(low) > 0);
    }
}
