package shop;
class Pauses {
static void brief() { brief(20); }
static void brief(int length) { try { Thread.sleep(length); } catch (InterruptedException it) { throw new IllegalStateException(it); } }
}
