package core;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import org.junit.Test;

/** Tests that pass only with the settings of the build. */
public class SettingsTest {
    @Test
    public void hasOptions() {
        assertEquals("a b", System.getProperty("from.options"));
    }

    @Test
    public void hasSystemProperties() {
        assertEquals("two\nlines", System.getProperty("from.properties"));
    }

    @Test
    public void hasEnvironment() {
        assertEquals("e=f", System.getenv("FROM_BUILD"));
    }

    @Test
    public void hasSmallHeap() {
        assertTrue(Runtime.getRuntime().maxMemory() <= 96L << 20);
    }

    @Test
    public void startsInItsFolder() {
        assertEquals("run", new File("").getAbsoluteFile().getName());
    }

    @Test
    public void checksNoAssertions() {
        assertFalse(getClass().desiredAssertionStatus());
    }
}
