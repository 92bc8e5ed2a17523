package shop;
import java.util.*;
import org.junit.*;
import static org.junit.Assert.*;
public class LedgerTest {
@Rule public Cleaning rule = new Cleaning();
@Test public void books() { Ledger.sum(new Cart()); assertEquals(1, Ledger.entries); }
@Test public void starts() { assertEquals(0, Ledger.entries); }
@Test public void writes() { Writer writer = number -> number + 1; assertEquals(2, writer.write(1)); }
@Test public void anonymous() {
Countable it = new Countable() { public int count() { return new Clock().hashCode(); } };
class Local extends Cart { public int count() { return super.count() + it.size(); } }
assertEquals(1, new Local().count());
}
@Test public void streams() { List<String> all = new ArrayList<>(); new depot.Shelf().names.forEach(all::add); assertEquals("[a, b]", all.toString()); }
}
