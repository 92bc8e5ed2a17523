package shop;
record Order(String name, int amount) implements Comparable<Order> {
Order { if (amount < 0) throw new IllegalArgumentException(name); }
public int compareTo(Order other) { return Integer.compare(amount, other.amount()); }
static Order random() { return new Order("" + java.util.UUID.randomUUID(), new java.util.Random().nextInt(9)); }
}
