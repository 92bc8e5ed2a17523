package shop;
class Text {
static String of(Object it) { return "generated " + it.hashCode(); }
}
