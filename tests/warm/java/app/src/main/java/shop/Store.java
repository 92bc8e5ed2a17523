package shop;
class Store {
static long cleared;
static void clear() { cleared = System.currentTimeMillis(); }
void add(Object name) { cleared++; }
String print(long width) { return "" + Math.random(); }
}
