package other;
import depot.*;
public class PlainTest {
@org.junit.Test public void adds() { org.junit.Assert.assertEquals(2, 1 + 1); }
@org.junit.Test public void reads() { org.junit.Assert.assertNull(Registry.get("shelf")); }
@org.junit.Test public void zone() { java.util.TimeZone.setDefault(null); System.setProperty("till", "open"); }
@org.junit.Test public void property() { org.junit.Assert.assertNull(System.getProperty("till")); }
}
