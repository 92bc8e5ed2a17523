package shop;
interface Countable {
int count();
default int size() { return count() + new java.util.Random().nextInt(); }
}
