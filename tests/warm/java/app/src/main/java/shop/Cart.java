package shop;
import java.util.*;
class Cart extends Store implements Countable {
private final Map<String, Integer> counts = new HashMap<>();
final Clock clock = new Clock();
Till till;
void add(String name) { counts.merge(name, 1, Integer::sum); }
public int count() { return counts.size(); }
String print(int width) { return Text.of(counts); }
Till till() { return till == null ? new Till(this) : till; }
}
