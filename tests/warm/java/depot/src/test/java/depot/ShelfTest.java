package depot;
import static org.junit.Assert.*;
public class ShelfTest extends junit.framework.TestCase {
private final Shelf shelf = new Shelf();
protected void setUp() { Registry.put("shelf", shelf); }
public void testLists() { assertEquals("[a, b]", shelf.list().toString()); }
public void testRegistered() { assertSame(shelf, Registry.get("shelf")); }
public void testFile() throws Exception { assertTrue(new java.io.File("/tmp/shelf.txt").createNewFile()); }
public void testPort() throws Exception { assertEquals(8080, new java.net.ServerSocket(8080).getLocalPort()); }
public void testLabel() { assertEquals("[]", shelf.box.label()); }
}
