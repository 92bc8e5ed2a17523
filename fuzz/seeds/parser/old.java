import junit.framework.TestCase;
public class OldTest extends TestCase {
    protected void setUp() { count = 0; }
    public void testCounts() throws InterruptedException { Thread.sleep(10L); assertEquals("one", 1, ++count); }
    int count;
}
