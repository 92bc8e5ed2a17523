package depot;
import java.util.*;
public class Shelf {
public Set<String> names = new HashSet<>(Arrays.asList("b", "a"));
public Box box = new Box();
public List<String> list() { return new ArrayList<>(names); }
public static class Box {
public String label() { return names().toString(); }
Set<String> names() { return new TreeSet<>(); }
}
}
