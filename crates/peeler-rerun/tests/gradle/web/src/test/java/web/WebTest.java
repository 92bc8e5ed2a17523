package web;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import core.Core;
import org.junit.Test;

/** Tests with the settings that Gradle chooses. */
public class WebTest {
    @Test
    public void usesCore() {
        assertEquals(1, Core.one());
    }

    @Test
    public void checksAssertions() {
        assertTrue(getClass().desiredAssertionStatus());
    }
}
