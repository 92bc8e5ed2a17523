package shop;
class Text {
static String of(Object it) { return it.toString(); }
static String of(Clock it) { return Text.of((Object) it); }
static String joined(java.util.Set<String> names) { return String.join(",", names); }
}
