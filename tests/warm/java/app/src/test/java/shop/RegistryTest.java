package shop;
import depot.Registry;
import org.junit.jupiter.api.*;
import static org.junit.jupiter.api.Assertions.*;
class RegistryTest {
@Test void fills() { Registry.put("a", 1); assertEquals(1, Registry.get("a")); }
@Test void isEmpty() { assertNull(Registry.get("a")); }
@Test void sizes() { assertEquals(0, Registry.size); }
@Nested
class Inside {
@BeforeEach void put() { Registry.put("b", new Cart()); }
@Test void nested() { assertEquals(1, Registry.size); }
}
}
