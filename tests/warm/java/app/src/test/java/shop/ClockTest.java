package shop;
import org.junit.Test;
import static shop.Text.*;
public class ClockTest {
@Test public void ticks() { org.junit.Assert.assertTrue(new Clock().now() > 0); }
@Test public void waits() throws Exception { Thread.sleep(10); org.junit.Assert.assertEquals("", of(clock())); }
@Test public void fields() { org.junit.Assert.assertEquals(5, new Cart().clock.now()); }
Clock clock() { return new Clock(); }
}
