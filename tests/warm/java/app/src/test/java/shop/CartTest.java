package shop;
import org.junit.*;
import static org.junit.Assert.*;
public class CartTest extends BaseTest {
Cart cart = new Cart();
@Before public void fill() { cart.add("pear"); }
@Test public void counts() { cart.add("fig"); assertEquals(1, cart.count()); }
@Test public void prints() { assertEquals("[]", cart.print(7)); }
@Test public void compares() { check(cart.count(), 1); }
@Test public void totals() { assertEquals(3, cart.till().total()); }
@Test public void shelves() { assertEquals("[a, b]", cart.till().shelf.list().toString()); }
@Test public void boxes() { assertEquals("[]", new Till(cart).shelf.box.label()); }
}
