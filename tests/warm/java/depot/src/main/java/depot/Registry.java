package depot;
import java.util.*;
public class Registry {
private static final Map<String, Object> ENTRIES = new HashMap<>();
public static int size = 0;
public static void put(String name, Object it) { ENTRIES.put(name, it); size++; }
public static Object get(String name) { return ENTRIES.get(name); }
public static void reset() { ENTRIES.clear(); size = 0; }
}
