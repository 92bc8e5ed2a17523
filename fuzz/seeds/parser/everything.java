package t;
import static org.junit.Assert.*;
import java.util.*;
import org.junit.*;
/** peeler:ignore
 * "quoted' */
public class XTest extends Base<String> implements Runnable {
    private static final Map<String, List<? extends Number>> MAP = new HashMap<>();
    @Rule public final Object rule = new Object() { int x = 1; void f() { x++; } };
    @Before public void setUp() throws Exception { MAP.put("a", Arrays.asList(1, 2)); }
    /* and */ @SuppressWarnings({"peeler", "x"})
    @Test(expected = RuntimeException.class, timeout = 100) public void a() {
        for (int i = 0; i < 3; i++) { if (i % 2 == 0) continue; else break; }
        try (Reader r = open("x")) { r.read(); } catch (IOException | Error e) { fail(e.getMessage()); } finally { done(); }
        String s = switch (x) { case 1, 2 -> "a"; default -> { yield "b"; } };
        assertThat(MAP.get("a").stream().map(n -> n + 1).toArray()[0]).isEqualTo(2);
    }
    @Test public void b() { int[][] y = {{1}, {2}}; assertEquals(y[0][0], (long) y[1][0] >>> 2, 0.1f); }
    enum Kind { A { int f() { return 1; } }, B(2); Kind(int... n) { this(); } }
    record Point(int x, int y) { Point { check(x); } }
    public void run() { synchronized (this) { throw new IllegalStateException("""
        text { block " """ + 'c' + '\'' ); } }
}
