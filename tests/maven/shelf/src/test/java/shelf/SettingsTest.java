package shelf;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.File;
import org.junit.Test;

public class SettingsTest {
    @Test
    public void hasTheOptionsOfTheLine() {
        assertEquals("yes", System.getProperty("from.line"));
    }

    @Test
    public void hasSystemProperties() {
        assertEquals("oak", System.getProperty("shelf.name"));
        assertTrue(new File(System.getProperty("basedir"), "pom.xml").isFile());
    }

    @Test
    public void hasEnvironmentVariables() {
        assertEquals("hall", System.getenv("SHELF_PLACE"));
    }

    @Test
    public void startsInItsFolderWithAssertions() {
        assertEquals("target", new File("").getAbsoluteFile().getName());
        assertTrue(SettingsTest.class.desiredAssertionStatus());
    }

    @Test
    public void hasAJvmOfItsOwn() {
        assertNull(System.getProperty("labels.ran"));
    }
}
