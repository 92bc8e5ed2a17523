package shop;
class Pen {
static int press(int number) { return number + hand(); }
static int hand() { return Worker.wait(2); }
}
