package shop;
class Helper {
static int twice(Countable it) { return it.count() * 2; }
static void pause() { Pauses.brief(); }
}
